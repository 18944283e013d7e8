/* SPDX-License-Identifier: MIT */
#include "base/strings.h"
#include "symbolise/jit/jitdump.h"

#include <criterion/criterion.h>

#include "tests/support/jitdump_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#define CODE_SIZE_OFFSET (16 + 24)
#define TOTAL_OFFSET     4

static bool read_bytes(const struct jitdump_writer *writer, size_t size_bytes, struct jitdump *ret,
		       struct error *err)
{
	struct memory_file file;
	bool good;

	memory_file_open(&file, writer->bytes.at, size_bytes);
	good = jitdump_read(ret, file.fd, err);
	memory_file_close(&file);
	return good;
}

static void read_whole(const struct jitdump_writer *writer, struct jitdump *ret)
{
	struct error err;

	cr_assert(read_bytes(writer, writer->bytes.count, ret, &err), "%s", err.text);
}

static const char *name_at(const struct jitdump *dump, uint64_t offset)
{
	struct symbol_cursor cursor = { .table = &dump->symbols };
	const struct symbol *symbol = symbol_cursor_find(&cursor, offset);
	static char name[64];

	snprintf(name, sizeof(name), "%.*s", symbol ? (int)symbol->name.length : 0,
		 symbol ? symbol->name.at : "");
	return name;
}

Test(jitdump, both_byte_orders)
{
	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		struct writer_code f = { .address = 0x7000, .size_bytes = 0x40, .index = 1 };
		struct writer_code g = {
			.pid = 9, .address = 0x7040, .size_bytes = 0x20, .index = 2
		};
		struct writer_code moved = {
			.from = 0x7000, .address = 0x8000, .size_bytes = 0x40, .index = 1
		};
		struct jitdump_writer writer;
		struct jitdump dump;
		size_t f_at;

		jitdump_writer_init(&writer, is_swapped, 7);
		f_at = jitdump_writer_load(&writer, 110, &f, "f");
		jitdump_writer_other(&writer, 2, 115, "debug info", 10);
		jitdump_writer_other(&writer, 77, 115, "of the future", 13);
		jitdump_writer_load(&writer, 120, &g, "g of a child");
		jitdump_writer_move(&writer, 130, &moved);
		moved.from = 0x8000;
		moved.address = 0x9000;
		jitdump_writer_move(&writer, 140, &moved);
		jitdump_writer_other(&writer, 3, 150, NULL, 0);
		jitdump_writer_load(&writer, 160, &f, "behind the end");
		read_whole(&writer, &dump);
		cr_expect_eq(dump.pid, 7);
		cr_expect_eq(dump.codes.count, 4);
		cr_expect_eq(dump.corrupt_count, 0);
		cr_expect_not(dump.is_cut);
		cr_expect_not(dump.has_processor_clock);
		cr_expect_eq(dump.codes.at[0].time_ns, 110);
		cr_expect_eq(dump.codes.at[0].address, 0x7000);
		cr_expect_eq(dump.codes.at[0].offset, f_at + 56 + sizeof("f"));
		cr_expect_eq(dump.codes.at[1].pid, 9);
		cr_expect_eq(dump.codes.at[2].moved_from, 0x7000);
		cr_expect(dump.codes.at[2].is_moved);
		cr_expect_eq(dump.codes.at[3].address, 0x9000);
		cr_expect_eq(dump.codes.at[3].offset, dump.codes.at[0].offset);
		cr_expect_str_eq(name_at(&dump, dump.codes.at[0].offset), "f");
		cr_expect_str_eq(name_at(&dump, dump.codes.at[0].offset + 0x3f), "f");
		cr_expect_str_eq(name_at(&dump, dump.codes.at[0].offset + 0x40), "");
		cr_expect_str_eq(name_at(&dump, dump.codes.at[1].offset), "g of a child");
		jitdump_deinit(&dump);
		jitdump_writer_deinit(&writer);
	}
	assert_no_leaks();
}

static const struct {
	size_t offset;
	uint32_t value;
	const char *says;
} bad_headers[] = {
	{ 0, 0x12345678, "is not a jitdump" },
	{ JITDUMP_WRITER_VERSION_OFFSET, 2, "is a jitdump of unsupported version 2" },
	{ 8, 39, "has an invalid header size, 39 bytes" },
	{ 8, 41, "has an invalid header size, 41 bytes" },
	{ 8, UINT32_MAX, "has an invalid header size, 4294967295 bytes" },
};

Test(jitdump, headers_that_are_refused)
{
	struct jitdump_writer writer;
	struct jitdump dump;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(bad_headers); i++) {
		jitdump_writer_init(&writer, false, 7);
		jitdump_writer_patch_u32(&writer, bad_headers[i].offset, bad_headers[i].value);
		cr_expect_not(read_bytes(&writer, writer.bytes.count, &dump, &err), "row %zu", i);
		cr_expect_str_eq(err.text, bad_headers[i].says, "row %zu", i);
		jitdump_writer_deinit(&writer);
	}
	jitdump_writer_init(&writer, false, 7);
	for (size_t size = 0; size < JITDUMP_WRITER_HEADER_BYTES; size++)
		cr_expect_not(read_bytes(&writer, size, &dump, &err));
	cr_expect_str_eq(err.text, "is shorter than the header of a jitdump");
	jitdump_writer_deinit(&writer);
	assert_no_leaks();
}

/*
 * Bytes that are changed in the first of two records, and the resulting numbers of codes and
 * corrupt records.
 */
static const struct {
	size_t offset;
	uint64_t value;
	bool is_u32;
	size_t code_count;
	uint32_t corrupt_count;
	bool is_cut;
} damages[] = {
	{ CODE_SIZE_OFFSET, 0x41, false, 2, 0, false }, /* the name's NUL is now code */
	{ CODE_SIZE_OFFSET, 0x43, false, 1, 1, false },
	{ CODE_SIZE_OFFSET, UINT64_MAX, false, 1, 1, false },
	{ CODE_SIZE_OFFSET, 0, false, 1, 0, false },
	{ CODE_SIZE_OFFSET - 8, UINT64_MAX - 0x3e, false, 1, 1, false }, /* beyond all addresses */
	{ TOTAL_OFFSET, 15, true, 0, 0, true },
	{ TOTAL_OFFSET, UINT32_MAX, true, 0, 0, true },
	{ 0, 1, true, 1, 1, false }, /* moves code that is not there */
	{ 0, 4, true, 1, 0, false },
};

Test(jitdump, damage)
{
	static const struct writer_code code = { .address = 0x7000, .size_bytes = 0x40 };

	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		struct jitdump_writer writer;
		struct jitdump dump;
		size_t first;

		jitdump_writer_init(&writer, false, 7);
		first = jitdump_writer_load(&writer, 110, &code, "ab");
		jitdump_writer_load(&writer, 120, &code, "g");
		if (damages[i].is_u32)
			jitdump_writer_patch_u32(&writer, first + damages[i].offset,
						 (uint32_t)damages[i].value);
		else
			jitdump_writer_patch_u64(&writer, first + damages[i].offset,
						 damages[i].value);
		/* The longer code leaves no NUL behind the name, which then has no end. */
		if (i == 0)
			writer.bytes.at[first + 57] = '\0';
		read_whole(&writer, &dump);
		cr_expect_eq(dump.codes.count, damages[i].code_count, "row %zu", i);
		cr_expect_eq(dump.corrupt_count, damages[i].corrupt_count, "row %zu", i);
		cr_expect_eq(dump.is_cut, damages[i].is_cut, "row %zu", i);
		jitdump_deinit(&dump);
		jitdump_writer_deinit(&writer);
	}
	assert_no_leaks();
}

/* If the dump is truncated anywhere, the records before are read. */
Test(jitdump, cut_anywhere)
{
	static const struct writer_code code = { .address = 0x7000, .size_bytes = 0x10 };
	struct jitdump_writer writer;
	size_t first_end;

	jitdump_writer_init(&writer, false, 7);
	jitdump_writer_load(&writer, 110, &code, "f");
	first_end = writer.bytes.count;
	jitdump_writer_load(&writer, 120, &code, "g");
	for (size_t size = JITDUMP_WRITER_HEADER_BYTES; size <= writer.bytes.count; size++) {
		size_t expected = size < first_end ? 0 : size < writer.bytes.count ? 1 : 2;
		struct jitdump dump;
		struct error err;

		cr_assert(read_bytes(&writer, size, &dump, &err));
		cr_expect_eq(dump.codes.count, expected, "%zu bytes", size);
		cr_expect_eq(dump.is_cut,
			     size != JITDUMP_WRITER_HEADER_BYTES && size != first_end &&
				     size != writer.bytes.count,
			     "%zu bytes", size);
		jitdump_deinit(&dump);
	}
	jitdump_writer_deinit(&writer);
	assert_no_leaks();
}

/* A name above the limit is truncated; a name or code that is larger than the window is skipped. */
Test(jitdump, large_pieces)
{
	static const struct writer_code code = { .address = 0x7000, .size_bytes = 200000 };
	static char name[100000];
	struct jitdump_writer writer;
	struct jitdump dump;

	memset(name, 'n', sizeof(name) - 1);
	jitdump_writer_init(&writer, false, 7);
	jitdump_writer_load(&writer, 110, &code, name);
	jitdump_writer_load(&writer, 120, &code, "g");
	read_whole(&writer, &dump);
	cr_assert_eq(dump.codes.count, 2);
	cr_expect_eq(dump.symbols.symbols.at[0].name.length, LIMIT_SYMBOL_BYTES);
	cr_expect_str_eq(name_at(&dump, dump.codes.at[1].offset), "g");
	jitdump_deinit(&dump);
	jitdump_writer_deinit(&writer);
	assert_no_leaks();
}
