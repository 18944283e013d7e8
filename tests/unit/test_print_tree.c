/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/print_tree.h"

#include <criterion/criterion.h>

#include "libparse/tracepoint/print_value.h"
#include "tests/support/leaks.h"

static const char fields[] = "field:u32 n;\toffset:0;\tsize:4;\tsigned:0;\n"
			     "field:u64 far;\toffset:4;\tsize:8;\tsigned:0;\n"
			     "field:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n"
			     "print fmt: \"\"";

struct world {
	struct arena arena;
	struct trace_format format;
	struct print_parser parser;
};

static void parse_begin(struct world *world, const char *text)
{
	arena_init(&world->arena);
	trace_format_read(text_of(fields), &world->arena, &world->format);
	world->parser = (struct print_parser){
		.at = text,
		.end = text + strlen(text),
		.format = &world->format,
		.arena = &world->arena,
	};
}

/* An expression ends before the first character that cannot continue it. */
Test(print_tree, where_expressions_end)
{
	static const struct {
		const char *text, *rest; /* rest NULL: cannot be parsed */
	} rows[] = {
		{ "1", "" },
		{ " 1 , 2", ", 2" },
		{ "1)", ")" },
		{ "1 + 2 * 3, x", ", x" },
		{ "(1)(2)", "(2)" },
		{ "REC->n]", "]" },
		{ "\"a\" \"b\" , 1", ", 1" },
		{ "\"a\\\"b\", 1", ", 1" },
		{ "0x", "" },
		{ "", NULL },
		{ "  ", NULL },
		{ ")", NULL },
		{ "1 +", NULL },
		{ "0x1g", NULL },
		{ "09", NULL },
		{ "(1", NULL },
		{ "\"a", NULL },
		{ "\"a\" \"b", NULL },
		{ "\"a\\\"", NULL },
		{ "'", NULL },
		{ "'a", NULL },
		{ "REC->", NULL },
		{ "REC->none", NULL },
		{ "REC", NULL },
		{ "REC->n[", NULL },
		{ "__get_str(none)", NULL },
		{ "__get_str(name", NULL },
		{ "__print_flags(1, \"|\", { 1 })", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct print_node *node;
		struct world world;

		parse_begin(&world, rows[i].text);
		node = print_tree_read(&world.parser);
		cr_expect_eq(node != NULL, rows[i].rest != NULL, "%s", rows[i].text);
		cr_expect_leq(world.parser.at, world.parser.end, "%s", rows[i].text);
		if (node && rows[i].rest)
			cr_expect_eq((size_t)(world.parser.end - world.parser.at),
				     strlen(rows[i].rest), "%s: before %s", rows[i].text,
				     world.parser.at);
		arena_deinit(&world.arena);
	}
	assert_no_leaks();
}

/* Adjacent strings are one; escapes are kept for print_value_write_text. */
Test(print_tree, strings)
{
	static const struct {
		const char *text, *expected, *written;
	} rows[] = {
		{ "\"\"", "", "" },
		{ "\"a\" \"\" \"b\"", "ab", "ab" },
		{ "\"a\\n\"\"\\\"b\"", "a\\n\\\"b", "a\n\"b" },
		{ "\"\\\\\"", "\\\\", "\\" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world world;
		struct sink sink;
		struct text got;

		parse_begin(&world, rows[i].text);
		sink_init_memory(&sink);
		cr_assert(print_tree_read_string(&world.parser, &got), "%s", rows[i].text);
		cr_expect(text_is(got, rows[i].expected), "%s: %.*s", rows[i].text, (int)got.length,
			  got.at);
		print_value_write_text(got, &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i].written), "%s: %.*s", rows[i].text,
			  (int)sink.used, sink.buffer);
		sink_deinit(&sink);
		arena_deinit(&world.arena);
	}
	assert_no_leaks();
}

/* Raw data may end anywhere: a truncated value is not printed. */
Test(print_value, truncated_data)
{
	static const unsigned char raw[20] = { [16] = 'a', 'b', 'c' };
	static const struct {
		const char *text;
		size_t size_bytes; /* the least that contains the value */
	} rows[] = {
		{ "1", 0 },
		{ "REC->n", 4 },
		{ "REC->far", 12 },
		{ "REC->n + REC->far", 12 },
		{ "-REC->far", 12 },
		{ "(u8)REC->n", 4 },
		{ "REC->n ? 1 : REC->far", 12 },
		{ "0 && REC->far", 12 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct print_node *node;
		struct world world;

		parse_begin(&world, rows[i].text);
		node = print_tree_read(&world.parser);
		cr_assert(node, "%s", rows[i].text);
		for (size_t size = 0; size <= sizeof(raw); size++) {
			uint64_t value;

			cr_expect_eq(print_value_number(node, span_of(raw, size, 0, false), &value),
				     size >= rows[i].size_bytes, "%s: %zu bytes", rows[i].text,
				     size);
		}
		arena_deinit(&world.arena);
	}
	assert_no_leaks();
}

/* Ranges of bits across the borders of words. The bytes of an incomplete last word are ignored. */
Test(print_value, bits)
{
	static const struct {
		uint32_t words[3];
		size_t size_bytes;
		const char *expected;
	} rows[] = {
		{ { 0 }, 0, "" },
		{ { 0 }, 12, "" },
		{ { 1 }, 12, "0" },
		{ { 3 }, 12, "0-1" },
		{ { 0xf, 0x1 }, 12, "0-3,32" },
		{ { 0x80000000, 0x3 }, 12, "31-33" },
		{ { UINT32_MAX, UINT32_MAX, UINT32_MAX }, 12, "0-95" },
		{ { UINT32_MAX, UINT32_MAX, UINT32_MAX }, 11, "0-63" },
		{ { 5, 0, 0x80000000 }, 12, "0,2,95" },
		{ { UINT32_MAX }, 3, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned char bytes[sizeof(rows[i].words)]; /* little-endian on every machine */
		struct sink sink;

		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (unsigned char)(rows[i].words[k / 4] >> (k % 4 * 8));
		sink_init_memory(&sink);
		print_value_write_bits(span_of(bytes, rows[i].size_bytes, 0, HOST_IS_BIG_ENDIAN),
				       &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "row %zu: %.*s", i,
			  (int)sink.used, sink.buffer);
		sink_deinit(&sink);
	}
}
