/* SPDX-License-Identifier: MIT */
#include "symbolise/needed_symbols.h"

#include <criterion/criterion.h>

#include "base/vec.h"
#include "tests/support/leaks.h"

/* A row of the table, and whether it is needed to name the addresses of a case. */
struct row {
	const char *name;
	uint64_t start, size_bytes;
	bool is_kept;
};

static void check(const char *what, const struct row *rows, size_t count, uint64_t address)
{
	struct candidate_symbol table[16];
	bool keeps[16] = { false };

	cr_assert_leq(count, ARRAY_SIZE(table));
	for (size_t i = 0; i < count; i++)
		table[i] = (struct candidate_symbol){ rows[i].start,
						      rows[i].start + rows[i].size_bytes,
						      text_of(rows[i].name) };
	needed_symbols_mark(table, count, &address, 1, keeps);
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(keeps[i], rows[i].is_kept, "%s: %s", what, rows[i].name);
}

#define CHECK(what, rows, address) check(what, rows, ARRAY_SIZE(rows), address)

Test(needed_symbols, keeps_neighbours)
{
	static const struct row functions[] = {
		{ "far", 0x1000, 0x10, false },     { "two_before", 0x1100, 0x10, true },
		{ "touched", 0x1200, 0x10, true },  { "alias", 0x1200, 0x10, true },
		{ "next", 0x1300, 0x10, true },     { "after_next", 0x1400, 0x10, true },
		{ "farther", 0x1500, 0x10, false },
	};

	CHECK("inside", functions, 0x1208);
	CHECK("in the gap behind it", functions, 0x1210);
	assert_no_leaks();
}

/* A large function that contains another function is kept, with all of its names. */
Test(needed_symbols, keeps_what_covers)
{
	static const struct row nested[] = {
		{ "outer", 0x1000, 0x10000, true }, { "outer_alias", 0x1000, 0, true },
		{ "other", 0x1100, 0x10, false },   { "a", 0x2000, 0x10, true },
		{ "b", 0x3000, 0x10, true },        { "c", 0x4000, 0x10, true },
		{ "d", 0x5000, 0x10, true },        { "e", 0x6000, 0x10, false },
	};

	CHECK("nested", nested, 0x3800);
	assert_no_leaks();
}

/* f.cold is a part of f if there is an f, otherwise a function of its own. */
Test(needed_symbols, keeps_what_parts_belong_to)
{
	static const struct row parts[] = {
		{ "f@@V1", 0x1000, 0x10, true },  { "g", 0x2000, 0x10, false },
		{ "h", 0x3000, 0x10, false },     { "i", 0x4000, 0x10, true },
		{ "f.cold", 0x5000, 0x10, true },
	};

	CHECK("a part", parts, 0x5004);
	assert_no_leaks();
}
