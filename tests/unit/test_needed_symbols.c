/* SPDX-License-Identifier: MIT */
#include "symbolise/needed_symbols.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "base/vec.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"
#include "tests/support/whole_table.h"

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
		{ "before", 0xff0, 0x20, false },   { "outer", 0x1000, 0x10000, true },
		{ "outer_alias", 0x1000, 0, true }, { "other", 0x1100, 0x10, false },
		{ "a", 0x2000, 0x10, true },        { "b", 0x3000, 0x10, true },
		{ "c", 0x4000, 0x10, true },        { "d", 0x5000, 0x10, true },
		{ "e", 0x6000, 0x10, false },
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

#define SYMBOL_COUNT  3000u
#define ADDRESS_COUNT 40u
#define ADDRESS_END   100000u
#define NAME_BYTES    16u

/* Symbols that often nest, touch, share a start or have no size, and parts with or without stems. */
static void add_random(struct random *random, char *names, struct symbol_table *table)
{
	static const char *const formats[] = { "f%u", "f%u.cold", "__f%u", "f%u@@V1",
					       "f%u.part.0" };
	uint32_t section_end = ADDRESS_END / 4;

	for (uint32_t i = 0; i < SYMBOL_COUNT; i++) {
		char *name = names + i * NAME_BYTES;
		uint32_t start = random_below(random, ADDRESS_END);
		uint32_t size = random_below(random, 20) ? random_below(random, 40)
							 : random_below(random, 1000);

		snprintf(name, NAME_BYTES, formats[random_below(random, ARRAY_SIZE(formats))],
			 random_below(random, 400));
		symbol_table_add(table,
				 &(struct symbol){
					 .start = start,
					 .end = start + (random_below(random, 3) ? size : 0),
					 .limit = (start / section_end + 1) * section_end,
					 .name = text_of(name),
					 .binding = (enum symbol_binding)random_below(random, 3),
					 .is_label = !random_below(random, 5),
				 });
	}
}

/* Finishes a copy of the table, with only the needed symbols if there are addresses. */
static void finish_copy(const struct symbol_table *all, enum symbol_rules rules,
			const uint64_t *addresses, size_t address_count, struct symbol_table *ret)
{
	symbol_table_init(ret);
	for (size_t i = 0; i < all->symbols.count; i++)
		symbol_table_add(ret, &all->symbols.at[i]);
	if (addresses) {
		needed_symbols_keep(ret, addresses, address_count);
		cr_assert_lt(ret->symbols.count, all->symbols.count);
	}
	symbol_table_finish(ret, rules);
}

Test(needed_symbols, the_others_do_not_change_the_names_of_the_addresses)
{
	static const enum symbol_rules rules[] = { SYMBOL_RULES_NEAREST, SYMBOL_RULES_PERF,
						   SYMBOL_RULES_DATA };
	char *names = memory_alloc(SYMBOL_COUNT, NAME_BYTES);

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct random random = { seed };
		struct symbol_table all;
		uint64_t addresses[ADDRESS_COUNT];

		symbol_table_init(&all);
		add_random(&random, names, &all);
		for (uint32_t i = 0; i < ADDRESS_COUNT; i++)
			addresses[i] = i * (ADDRESS_END / ADDRESS_COUNT) +
				       random_below(&random, ADDRESS_END / ADDRESS_COUNT);
		for (size_t r = 0; r < ARRAY_SIZE(rules); r++) {
			struct symbol_table whole, needed;

			finish_copy(&all, rules[r], NULL, 0, &whole);
			finish_copy(&all, rules[r], addresses, ADDRESS_COUNT, &needed);
			for (uint32_t i = 0; i < ADDRESS_COUNT; i++)
				cr_assert(whole_table_is_same_at(&whole, &needed, addresses[i]),
					  "seed %u, rules %u, address %u", (unsigned)seed,
					  (unsigned)rules[r], (unsigned)addresses[i]);
			symbol_table_deinit(&whole);
			symbol_table_deinit(&needed);
		}
		symbol_table_deinit(&all);
	}
	memory_free(names);
	assert_no_leaks();
}
