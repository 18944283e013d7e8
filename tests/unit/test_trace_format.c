/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/trace_format.h"

#include <criterion/criterion.h>

static const char format_text[] =
	"name: everything\n"
	"ID: 1\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:const char * path;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args[6];\toffset:32;\tsize:48;\tsigned:0;\n"
	"\tfield:unsigned long flags;\toffset:80;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:88;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u16[] words;\toffset:92;\tsize:4;\tsigned:0;\n"
	"\tfield:long ret;\toffset:96;\tsize:8;\tsigned:1;\n"
	"\tfield:__u8 mac[6];\toffset:104;\tsize:6;\tsigned:0;\n"
	/* Corrupt fields, which are left out. */
	"\tfield:int nowhere;\tsize:4;\tsigned:1;\n"
	"\tfield:int far;\toffset:99999;\tsize:4;\tsigned:1;\n"
	"\tfield:int large;\toffset:0;\tsize:4294967295;\tsigned:1;\n"
	"\tfield:int overflowing;\toffset:99999999999;\tsize:4;\tsigned:1;\n"
	"\tfield:[];\toffset:0;\tsize:4;\tsigned:1;\n"
	"\tfield:;\toffset:0;\tsize:4;\tsigned:1;\n"
	"\tfield\n"
	"\n"
	"print fmt: \"a\n b\", REC->ret \n";

Test(trace_format, fields)
{
	static const struct {
		const char *name;
		uint32_t offset, size_bytes, element_bytes;
		const char *flags; /* a array, t text, l located, r relative, s signed, h hex */
	} rows[] = {
		{ "common_type", 0, 2, 0, "" }, { "common_pid", 4, 4, 0, "s" },
		{ "comm", 8, 16, 1, "at" },     { "path", 24, 8, 0, "h" },
		{ "args", 32, 48, 8, "ah" },    { "flags", 80, 8, 0, "h" },
		{ "name", 88, 4, 1, "atl" },    { "words", 92, 4, 2, "alr" },
		{ "ret", 96, 8, 0, "s" },       { "mac", 104, 6, 1, "at" },
	};
	struct trace_format format;
	struct arena arena;

	arena_init(&arena);
	trace_format_read(text_of(format_text), &arena, &format);
	cr_assert_eq(format.field_count, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct field *field = trace_format_find(&format, text_of(rows[i].name));
		char flags[8] = "";

		cr_assert_eq(field, &format.fields[i], "%s", rows[i].name);
		cr_expect_eq(field->offset, rows[i].offset, "%s", rows[i].name);
		cr_expect_eq(field->size_bytes, rows[i].size_bytes, "%s", rows[i].name);
		cr_expect_eq(field->element_bytes, rows[i].element_bytes, "%s: %u", rows[i].name,
			     field->element_bytes);
		snprintf(flags, sizeof(flags), "%s%s%s%s%s%s", field->is_array ? "a" : "",
			 field->is_text ? "t" : "", field->is_located ? "l" : "",
			 field->is_relative ? "r" : "", field->is_signed ? "s" : "",
			 field->is_hex ? "h" : "");
		cr_expect_str_eq(flags, rows[i].flags, "%s", rows[i].name);
	}
	cr_expect_null(trace_format_find(&format, text_of("com")));
	cr_expect(text_is(format.print, "\"a\n b\", REC->ret"));
	arena_deinit(&arena);
}

/* Truncated anywhere, the part before is read. */
Test(trace_format, cut_text)
{
	for (size_t length = 0; length < sizeof(format_text); length++) {
		char *text = memory_alloc(length, 1);
		struct trace_format format;
		struct arena arena;

		memcpy(text, format_text, length);
		arena_init(&arena);
		trace_format_read((struct text){ text, (uint32_t)length }, &arena, &format);
		cr_expect_leq(format.field_count, 10);
		arena_deinit(&arena);
		memory_free(text);
	}
}

Test(trace_format, number_of_fields_is_limited)
{
	struct trace_format format;
	struct arena arena;
	struct sink sink;

	arena_init(&arena);
	sink_init_memory(&sink);
	for (uint32_t i = 0; i < 2 * LIMIT_TRACEPOINT_FIELDS; i++)
		sink_printf(&sink, "field:int f%u; offset:0; size:4; signed:1;\n", i);
	trace_format_read(sink_memory(&sink), &arena, &format);
	cr_expect_eq(format.field_count, LIMIT_TRACEPOINT_FIELDS);
	sink_deinit(&sink);
	arena_deinit(&arena);
}
