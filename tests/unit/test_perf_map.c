/* SPDX-License-Identifier: MIT */
#include "symbolise/perf_map.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static const struct {
	const char *text;
	uint64_t address;
	const char *name; /* "": none */
	uint32_t damaged_count;
} rows[] = {
	{ "1000 10 f\n", 0x1000, "f", 0 },
	{ "1000 10 f\n", 0x100f, "f", 0 },
	{ "1000 10 f\n", 0x1010, "", 0 },
	{ "0x1000 0x10 with prefix\n", 0x1008, "with prefix", 0 },
	{ "1000 10 LazyCompile:*f /a b.js:1:2\n", 0x1000, "LazyCompile:*f /a b.js:1:2", 0 },
	{ "1000 10 Lpkg/Cls;::m\r\n", 0x1000, "Lpkg/Cls;::m", 0 },
	{ "ABCDEF 10 upper\n", 0xabcdef, "upper", 0 },
	{ "1000   10\tblanks\n", 0x1000, "blanks", 0 },
	/* Code that was thrown away and its place used again */
	{ "1000 40 old\n1000 20 new\n", 0x1010, "new", 0 },
	{ "1000 40 old\n1000 20 new\n", 0x1030, "old", 0 },
	{ "1010 10 old\n1000 40 new\n", 0x1018, "new", 0 },
	{ "2000 10 b\n1000 10 a\n", 0x1004, "a", 0 },
	/* No size: to the next */
	{ "1000 0 a\n2000 10 b\n", 0x1fff, "a", 0 },
	{ "1000 0 a\n", 0x1fff, "a", 0 },
	{ "1000 0 a\n", 0x2000, "", 0 },
	/* The process was in the middle of a line */
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

Test(perf_map, rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct symbol_table table;
		struct symbol_cursor cursor = { .table = &table };
		const struct symbol *symbol;

		symbol_table_init(&table);
		cr_expect_eq(perf_map_read(text_of(rows[i].text), &table), rows[i].damaged_count,
			     "row %zu", i);
		symbol = symbol_cursor_find(&cursor, rows[i].address);
		cr_expect(text_is(symbol ? symbol->name : text_of(""), rows[i].name), "row %zu", i);
		symbol_table_deinit(&table);
	}
	assert_no_leaks();
}
