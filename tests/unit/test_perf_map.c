/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/perf_map.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

static const struct {
	const char *text;
	uint64_t address;
	const char *name; /* "": none */
	uint32_t corrupt_count;
} rows[] = {
	{ "1000 10 f\n", 0x1000, "f", 0 },
	{ "1000 10 f\n", 0x100f, "f", 0 },
	{ "1000 10 f\n", 0x1010, "", 0 },
	{ "0x1000 0x10 with prefix\n", 0x1008, "with prefix", 0 },
	{ "1000 10 LazyCompile:*f /a b.js:1:2\n", 0x1000, "LazyCompile:*f /a b.js:1:2", 0 },
	{ "1000 10 Lpkg/Cls;::m\r\n", 0x1000, "Lpkg/Cls;::m", 0 },
	{ "ABCDEF 10 upper\n", 0xabcdef, "upper", 0 },
	{ "1000   10\tblanks\n", 0x1000, "blanks", 0 },
	/* Code was discarded, and its place used again */
	{ "1000 40 old\n1000 20 new\n", 0x1010, "new", 0 },
	{ "1000 40 old\n1000 20 new\n", 0x1030, "old", 0 },
	{ "1010 10 old\n1000 40 new\n", 0x1018, "new", 0 },
	{ "2000 10 b\n1000 10 a\n", 0x1004, "a", 0 },
	/* A line without a size extends to the next address */
	{ "1000 0 a\n2000 10 b\n", 0x1fff, "a", 0 },
	{ "1000 0 a\n", 0x1fff, "a", 0 },
	{ "1000 0 a\n", 0x2000, "", 0 },
	/* The process was still writing the last line */
	{ "1000 10 f\n2000 10 half", 0x2000, "", 0 },
	{ "1000 10 half", 0x1000, "", 0 },
	/* Nonsense */
	{ "\n\n1000 10 f\n", 0x1000, "f", 0 },
	{ "1000 10\n2000 10 f\n", 0x2000, "f", 1 },
	{ "1000 10 \n2000 10 f\n", 0x2000, "f", 1 },
	{ "nonsense\n-1 10 x\n0x 10 x\n1000 zz x\n2000 10 f\n", 0x2000, "f", 4 },
	{ "12345678123456781 10 too long\n", 0x2345678123456781, "", 1 },
	{ "ffffffffffffffff 10 beyond the end\n", UINT64_MAX, "", 1 },
	{ "fffffffffffffff0 f at the end\n", 0xfffffffffffffffe, "at the end", 0 },
};

static bool read_text(struct perf_map *map, const char *text, size_t size_bytes,
		      struct perf_map_request request, struct error *err)
{
	struct memory_file file;
	bool good;

	memory_file_open(&file, text, size_bytes);
	request.fd = file.fd;
	good = perf_map_read(map, &request, err);
	memory_file_close(&file);
	return good;
}

static struct text name_at(const struct perf_map *map, uint64_t address)
{
	struct symbol_cursor cursor = { .table = &map->symbols };
	const struct symbol *symbol = symbol_cursor_find(&cursor, address);

	return symbol ? symbol->name : text_of("");
}

Test(perf_map, rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct key_row address = { rows[i].address, 0 };
		struct perf_map map;
		struct error err;

		cr_assert(read_text(&map, rows[i].text, strlen(rows[i].text),
				    (struct perf_map_request){ .limit_bytes = 1000,
							       .addresses = &address,
							       .address_count = 1 },
				    &err),
			  "row %zu: %s", i, err.text);
		cr_expect_eq(map.corrupt_count, rows[i].corrupt_count, "row %zu", i);
		cr_expect_eq(map.size_bytes, strlen(rows[i].text), "row %zu", i);
		cr_expect(text_is(name_at(&map, rows[i].address), rows[i].name), "row %zu", i);
		perf_map_deinit(&map);
	}
	assert_no_leaks();
}

#define LINES  60u
#define PLACES 40u

struct model_line {
	uint64_t start, size_bytes;
};

/* The rule that the header states, applied to an address by searching all lines. */
static uint32_t model_find(const struct model_line *lines, uint64_t address)
{
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < LINES; i++) {
		uint64_t end = lines[i].start + lines[i].size_bytes;

		if (!lines[i].size_bytes) {
			end = UINT64_MAX;
			for (uint32_t k = 0; k < LINES; k++)
				if (lines[k].start > lines[i].start && lines[k].start < end)
					end = lines[k].start;
			if (end == UINT64_MAX)
				end = (lines[i].start | 0xfff) + 1;
		}
		if (lines[i].start <= address && address < end)
			found = i;
	}
	return found;
}

static void compare_with_model(uint32_t *random)
{
	struct model_line lines[LINES];
	struct key_row addresses[PLACES];
	char text[LINES * 32];
	size_t length = 0;
	struct perf_map map;
	struct error err;

	for (uint32_t i = 0; i < LINES; i++) {
		*random = *random * 1664525u + 1013904223u;
		lines[i].start = 0x1000 + (*random >> 8) % 300;
		lines[i].size_bytes = (*random >> 20) % 4 ? (*random >> 24) % 50 : 0;
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%x %x n%u\n",
					   (unsigned)lines[i].start, (unsigned)lines[i].size_bytes,
					   i);
	}
	for (uint32_t i = 0; i < PLACES; i++)
		addresses[i] = (struct key_row){ 0xff0 + i * 9, i };
	cr_assert(read_text(&map, text, length,
			    (struct perf_map_request){ .limit_bytes = length,
						       .addresses = addresses,
						       .address_count = PLACES },
			    &err));
	for (uint32_t i = 0; i < PLACES; i++) {
		uint32_t wanted = model_find(lines, addresses[i].key);
		char name[16] = "";

		if (wanted != UINT32_MAX)
			snprintf(name, sizeof(name), "n%u", wanted);
		cr_expect(text_is(name_at(&map, addresses[i].key), name), "at %#x: not %s in\n%s",
			  (unsigned)addresses[i].key, name, text);
	}
	perf_map_deinit(&map);
}

Test(perf_map, many_lines_as_a_simple_model_has_them)
{
	uint32_t random = 1;

	for (unsigned i = 0; i < 300; i++)
		compare_with_model(&random);
}

/*
 * A map is read in pieces: tests lines across two pieces, a line longer than a piece, and the end.
 */
Test(perf_map, large)
{
	static const size_t size_bytes = (size_t)5 << 20;
	char *text = memory_alloc(size_bytes + 1, 1);
	struct key_row addresses[] = { { 0x1000, 0 }, { 0x2000, 1 }, { 0x3000, 2 } };
	struct perf_map_request request = { .limit_bytes = size_bytes,
					    .addresses = addresses,
					    .address_count = 3 };
	size_t used = 0;
	struct perf_map map;
	struct error err;

	used += (size_t)snprintf(text + used, size_bytes - used, "1000 10 first\n");
	while (used < (size_t)2 << 20)
		used += (size_t)snprintf(text + used, size_bytes - used,
					 "7000 3 of no interest, %zu\n", used);
	used += (size_t)snprintf(text + used, size_bytes - used, "2000 10 second\n1000 8 ");
	memset(text + used, 'x', (size_t)5 << 19);
	used += (size_t)5 << 19;
	used += (size_t)snprintf(text + used, size_bytes - used, "\n3000 10 third\n");
	cr_assert(read_text(&map, text, used, request, &err), "%s", err.text);
	cr_expect(text_is(name_at(&map, 0x1000), "first"));
	cr_expect(text_is(name_at(&map, 0x2000), "second"));
	cr_expect(text_is(name_at(&map, 0x3000), "third"));
	cr_expect_eq(map.corrupt_count, 1);
	cr_expect_eq(map.symbols.symbols.count, 3);
	perf_map_deinit(&map);
	request.limit_bytes = used - 1;
	cr_expect_not(read_text(&map, text, used, request, &err));
	cr_expect(strstr(err.text, "is larger than"), "%s", err.text);
	memory_free(text);
	assert_no_leaks();
}
