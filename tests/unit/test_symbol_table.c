/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/symbol_table.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define NO_LIMIT UINT64_MAX

/* Tables are written as text and read back as text: "f 10-30 g 30-40". */
static void add(struct symbol_table *table, const char *name, uint64_t start, uint64_t end,
		uint64_t limit, uint32_t owner)
{
	symbol_table_add(table, &(struct symbol){
					.start = start,
					.end = end,
					.limit = limit,
					.name = text_of(name),
					.owner = owner,
					.binding = SYMBOL_GLOBAL,
				});
}

static void describe(const struct symbol_table *table, char *buffer, size_t size)
{
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; i < table->ranges.count && length < size; i++) {
		const struct symbol_range *range = &table->ranges.at[i];
		struct text name = table->symbols.at[range->symbol].name;

		length += (size_t)snprintf(buffer + length, size - length, "%s%.*s %llx-%llx",
					   i ? " " : "", (int)name.length, name.at,
					   (unsigned long long)range->start,
					   (unsigned long long)range->end);
	}
}

struct added {
	const char *name; /* NULL: the last */
	uint64_t start, end;
	uint32_t owner;
	uint64_t limit; /* 0: none */
};

static const struct {
	const char *what;
	enum symbol_rules rules;
	struct added added[6];
	const char *expected;
} rows[] = {
	{ "nothing", SYMBOL_RULES_NEAREST, { { 0 } }, "" },
	{ "side by side, out of order, with a gap",
	  SYMBOL_RULES_NEAREST,
	  { { "b", 0x20, 0x30, 0, 0 }, { "a", 0x10, 0x20, 0, 0 }, { "c", 0x40, 0x50, 0, 0 } },
	  "a 10-20 b 20-30 c 40-50" },
	{ "one inside another comes and goes",
	  SYMBOL_RULES_NEAREST,
	  { { "outer", 0x10, 0x50, 0, 0 }, { "inner", 0x20, 0x30, 0, 0 } },
	  "outer 10-20 inner 20-30 outer 30-50" },
	{ "two that overlap",
	  SYMBOL_RULES_NEAREST,
	  { { "a", 0x10, 0x30, 0, 0 }, { "b", 0x20, 0x40, 0, 0 } },
	  "a 10-20 b 20-40" },
	{ "three deep, ending together",
	  SYMBOL_RULES_NEAREST,
	  { { "a", 0x10, 0x40, 0, 0 }, { "b", 0x20, 0x40, 0, 0 }, { "c", 0x30, 0x40, 0, 0 } },
	  "a 10-20 b 20-30 c 30-40" },
	{ "no size: to the next",
	  SYMBOL_RULES_NEAREST,
	  { { "a", 0x10, 0x10, 0, 0 }, { "b", 0x20, 0x30, 0, 0 } },
	  "a 10-20 b 20-30" },
	{ "no size: not beyond the section",
	  SYMBOL_RULES_NEAREST,
	  { { "a", 0x10, 0x10, 0, 0x18 }, { "b", 0x20, 0x30, 0, 0 } },
	  "a 10-18 b 20-30" },
	{ "no size, the last: to the end of its page",
	  SYMBOL_RULES_NEAREST,
	  { { "a", 0x10, 0x10, 0, 0 } },
	  "a 10-1000" },
	{ "no size: not from the kernel into a module far away",
	  SYMBOL_RULES_NEAREST,
	  { { "last", 0x2010, 0x2010, 0, 0 }, { "first", 0x90000, 0x90000, 1, 0 } },
	  "last 2010-3000 first 90000-91000" },
	{ "no size: a module that begins in the same page",
	  SYMBOL_RULES_NEAREST,
	  { { "last", 0x2010, 0x2010, 0, 0 }, { "first", 0x2800, 0x2900, 1, 0 } },
	  "last 2010-2800 first 2800-2900" },
	{ "a label inside a function is no function",
	  SYMBOL_RULES_NEAREST,
	  { { "f", 0x10, 0x40, 0, 0 }, { "label", 0x20, 0x20, 0, 0 } },
	  "f 10-40" },
	{ "a place where code ends",
	  SYMBOL_RULES_NEAREST,
	  { { "f", 0x10, 0x10, 0, 0 }, { "", 0x20, 0x20, 0, 0 }, { "g", 0x30, 0x40, 0, 0 } },
	  "f 10-20  20-30 g 30-40" },
	{ "the end of memory",
	  SYMBOL_RULES_NEAREST,
	  { { "a", UINT64_MAX - 0xf, UINT64_MAX, 0, 0 }, { "b", UINT64_MAX, UINT64_MAX, 0, 0 } },
	  "a fffffffffffffff0-ffffffffffffffff" },
	{ "an end before its start",
	  SYMBOL_RULES_NEAREST,
	  { { "a", 0x30, 0x10, 0, 0x40 }, { "b", 0x50, 0x60, 0, 0 } },
	  "a 30-40 b 50-60" },

	{ "later code replaces earlier code",
	  SYMBOL_RULES_LATEST,
	  { { "old", 0x10, 0x40, 0, 0 }, { "new", 0x20, 0x30, 0, 0 } },
	  "old 10-20 new 20-30 old 30-40" },
	{ "though it lies inside, earlier code is gone",
	  SYMBOL_RULES_LATEST,
	  { { "old", 0x20, 0x30, 0, 0 }, { "new", 0x10, 0x40, 0, 0 } },
	  "new 10-40" },
	{ "the same place twice",
	  SYMBOL_RULES_LATEST,
	  { { "old", 0x10, 0x20, 0, 0 }, { "new", 0x10, 0x20, 0, 0 } },
	  "new 10-20" },
	{ "what was left of old code",
	  SYMBOL_RULES_LATEST,
	  { { "old", 0x10, 0x30, 0, 0 }, { "new", 0x10, 0x20, 0, 0 } },
	  "new 10-20 old 20-30" },
	{ "three generations",
	  SYMBOL_RULES_LATEST,
	  { { "a", 0x10, 0x60, 0, 0 }, { "c", 0x30, 0x40, 0, 0 }, { "b", 0x20, 0x50, 0, 0 } },
	  "a 10-20 b 20-50 a 50-60" },

	/* perf first sets the ends of symbols, so the last alias without a size has an extent. */
	{ "perf: the last alias without a size",
	  SYMBOL_RULES_PERF,
	  { { "_text", 0x10, 0x10, 0, 0 },
	    { "startup", 0x10, 0x10, 0, 0 },
	    { "b", 0x20, 0x30, 0, 0 } },
	  "startup 10-20 b 20-30" },
	{ "perf: the last symbol", SYMBOL_RULES_PERF, { { "a", 0x10, 0x10, 0, 0 } }, "a 10-2000" },
	{ "perf: a symbol at 0", SYMBOL_RULES_PERF, { { "a", 0, 0, 0, 0 } }, "a 0-1000" },
	{ "perf: a symbol in the last page but one",
	  SYMBOL_RULES_PERF,
	  { { "a", 0xffffffffffffe001, 0xffffffffffffe001, 0, 0 } },
	  "a ffffffffffffe001-ffffffffffffffff" },
	{ "perf: kernel to module in the last page",
	  SYMBOL_RULES_PERF,
	  { { "a", 0xfffffffffffff000, 0xfffffffffffff000, 0, 0 },
	    { "m", 0xfffffffffffff800, 0xfffffffffffff800, 1, 0 } },
	  "a fffffffffffff000-fffffffffffff800 m fffffffffffff800-ffffffffffffffff" },
	{ "perf: kernel to module",
	  SYMBOL_RULES_PERF,
	  { { "a", 0x10, 0x10, 0, 0 }, { "m", 0x90000, 0x90010, 1, 0 } },
	  "a 10-2000 m 90000-90010" },
};

Test(symbol_table, ranges)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct symbol_table table;
		char text[1024];

		symbol_table_init(&table);
		for (const struct added *a = rows[i].added; a < rows[i].added + 6 && a->name; a++)
			add(&table, a->name, a->start, a->end, a->limit ? a->limit : NO_LIMIT,
			    a->owner);
		symbol_table_finish(&table, rows[i].rules);
		describe(&table, text, sizeof(text));
		cr_expect_str_eq(text, rows[i].expected, "row %zu, %s: %s", i, rows[i].what, text);
		symbol_table_deinit(&table);
	}
	assert_no_leaks();
}

Test(symbol_table, finds_by_ascending_address)
{
	static const struct {
		uint64_t address;
		const char *name; /* NULL: none */
	} asked[] = {
		{ 0, NULL },    { 0xf, NULL },     { 0x10, "a" },        { 0x10, "a" },
		{ 0x1f, "a" },  { 0x20, NULL },    { 0x30, "b" },        { 0x3f, "b" },
		{ 0x40, NULL }, { 0x100, "last" }, { UINT64_MAX, NULL },
	};
	struct symbol_table table;
	struct symbol_cursor cursor = { .table = &table };

	symbol_table_init(&table);
	add(&table, "a", 0x10, 0x20, NO_LIMIT, 0);
	add(&table, "b", 0x30, 0x40, NO_LIMIT, 0);
	add(&table, "", 0x40, 0x50, NO_LIMIT, 0);
	add(&table, "last", 0x100, 0x200, NO_LIMIT, 0);
	symbol_table_finish(&table, SYMBOL_RULES_NEAREST);
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		const struct symbol *symbol = symbol_cursor_find(&cursor, asked[i].address);

		cr_assert_eq(!symbol, !asked[i].name, "row %zu", i);
		if (symbol)
			cr_expect(text_is(symbol->name, asked[i].name), "row %zu", i);
	}
	symbol_table_deinit(&table);
	assert_no_leaks();
}

/* From any position, a cursor finds any later symbol. */
Test(symbol_table, finds_near_and_far_symbols)
{
	struct symbol_table table;

	symbol_table_init(&table);
	for (uint64_t i = 0; i < 40; i++)
		add(&table, "f", 0x100 * i, 0x100 * i + 0x80, NO_LIMIT, 0);
	symbol_table_finish(&table, SYMBOL_RULES_NEAREST);
	for (uint64_t from = 0; from < 40; from++)
		for (uint64_t to = from; to < 40; to++) {
			struct symbol_cursor cursor = { .table = &table };
			const struct symbol *symbol;

			(void)!symbol_cursor_find(&cursor, 0x100 * from);
			cr_expect_null(symbol_cursor_find(&cursor, 0x100 * to + 0x80));
			cursor = (struct symbol_cursor){ .table = &table };
			(void)!symbol_cursor_find(&cursor, 0x100 * from);
			symbol = symbol_cursor_find(&cursor, 0x100 * to + 0x7f);
			cr_assert(symbol && symbol->start == 0x100 * to);
		}
	symbol_table_deinit(&table);
	assert_no_leaks();
}

/* Every address is compared with the documented rule, in many random tables. */
Test(symbol_table, agrees_with_a_search_through_all)
{
	uint32_t random = 1;

	for (int round = 0; round < 300; round++) {
		bool is_latest = round % 2;
		struct symbol_table table;
		struct symbol_cursor cursor = { .table = &table };
		struct symbol added[24];

		symbol_table_init(&table);
		for (uint32_t i = 0; i < ARRAY_SIZE(added); i++) {
			random = random * 1664525 + 1013904223;
			added[i] = (struct symbol){
				.start = random >> 8 & 63,
				.limit = NO_LIMIT,
				.name = { &"abcdefghijklmnopqrstuvwxyz"[i], 1 },
				.order = i,
			};
			added[i].end = added[i].start + 1 + (random >> 16 & 15);
			symbol_table_add(&table, &added[i]);
		}
		symbol_table_finish(&table, is_latest ? SYMBOL_RULES_LATEST : SYMBOL_RULES_NEAREST);
		for (uint64_t address = 0; address < 90; address++) {
			const struct symbol *found = symbol_cursor_find(&cursor, address);
			const struct symbol *best = NULL;

			for (uint32_t i = 0; i < ARRAY_SIZE(added); i++) {
				const struct symbol *candidate = &added[i];
				bool is_shadowed = false;

				/* Of several symbols at one start only the best alias is used. */
				for (uint32_t k = 0; k < ARRAY_SIZE(added) && !is_latest; k++)
					is_shadowed |= k != i &&
						       added[k].start == candidate->start &&
						       symbol_alias_is_better(&added[k], candidate);
				if (is_shadowed || address < candidate->start ||
				    address >= candidate->end)
					continue;
				if (!best || (is_latest ? candidate->order > best->order
							: candidate->start > best->start))
					best = candidate;
			}
			cr_assert_eq(!found, !best, "round %d, address %llu", round,
				     (unsigned long long)address);
			if (found)
				cr_assert_eq(found->name.at, best->name.at,
					     "round %d, address %llu", round,
					     (unsigned long long)address);
		}
		symbol_table_deinit(&table);
	}
	assert_no_leaks();
}

struct name {
	const char *name;
	uint64_t size_bytes;
	enum symbol_binding binding;
	bool is_label;
};

/*
 * The names that kiln and perf 6.1 choose among several names of one address. The sets are from
 * libc.
 */
static const struct {
	struct name names[5];
	const char *ours, *perfs;
} alias_rows[] = {
	{ { { "cfree@GLIBC_2.2.5", 8, SYMBOL_GLOBAL, false },
	    { "__libc_free", 8, SYMBOL_GLOBAL, false },
	    { "free", 8, SYMBOL_GLOBAL, false },
	    { "__free", 8, SYMBOL_GLOBAL, false } },
	  "free",
	  "cfree@GLIBC_2.2.5" },
	{ { { "__GI___libc_open", 8, SYMBOL_LOCAL, false },
	    { "open64", 8, SYMBOL_WEAK, false },
	    { "__open", 8, SYMBOL_GLOBAL, false },
	    { "open", 8, SYMBOL_WEAK, false } },
	  "open",
	  "__open" },
	{ { { "label", 0, SYMBOL_GLOBAL, false }, { "__function", 8, SYMBOL_LOCAL, false } },
	  "__function",
	  "__function" },
	{ { { "label", 8, SYMBOL_GLOBAL, true }, { "__function", 8, SYMBOL_LOCAL, false } },
	  "__function",
	  "label" },
	{ { { "beta", 8, SYMBOL_GLOBAL, false }, { "alfa", 8, SYMBOL_GLOBAL, false } },
	  "alfa",
	  "beta" },
	{ { { "local", 8, SYMBOL_LOCAL, false }, { "weak_one", 8, SYMBOL_WEAK, false } },
	  "weak_one",
	  "local" },
	/* perf counts the underscores of the demangled name, which has none. */
	{ { { "c_name", 8, SYMBOL_GLOBAL, false }, { "_ZN3app4workEv", 8, SYMBOL_GLOBAL, false } },
	  "c_name",
#ifdef HAVE_LIBIBERTY
	  "_ZN3app4workEv" },
#else
	  "c_name" },
#endif
};

Test(symbol_table, aliases)
{
	for (size_t i = 0; i < ARRAY_SIZE(alias_rows); i++) {
		for (int is_perf = 0; is_perf < 2; is_perf++) {
			const char *expected = is_perf ? alias_rows[i].perfs : alias_rows[i].ours;
			struct symbol_table table;

			symbol_table_init(&table);
			for (const struct name *n = alias_rows[i].names; n->name; n++)
				symbol_table_add(&table, &(struct symbol){
								 .start = 0x10,
								 .end = 0x10 + n->size_bytes,
								 .limit = NO_LIMIT,
								 .name = text_of(n->name),
								 .binding = n->binding,
								 .is_label = n->is_label,
							 });
			symbol_table_finish(&table,
					    is_perf ? SYMBOL_RULES_PERF : SYMBOL_RULES_NEAREST);
			cr_assert_eq(table.symbols.count, 1);
			cr_expect(text_is(table.symbols.at[0].name, expected), "row %zu: %.*s", i,
				  (int)table.symbols.at[0].name.length,
				  table.symbols.at[0].name.at);
			symbol_table_deinit(&table);
		}
	}
	assert_no_leaks();
}

/* The choice does not depend on the order in the file. */
Test(symbol_table, our_choice_does_not_depend_on_order)
{
	for (size_t i = 0; i < ARRAY_SIZE(alias_rows); i++)
		for (const struct name *a = alias_rows[i].names; a->name; a++)
			for (const struct name *b = alias_rows[i].names; b->name; b++) {
				struct symbol first = { .end = a->size_bytes,
							.name = text_of(a->name),
							.binding = a->binding,
							.is_label = a->is_label };
				struct symbol second = { .end = b->size_bytes,
							 .name = text_of(b->name),
							 .binding = b->binding,
							 .is_label = b->is_label };

				cr_expect_eq(symbol_alias_is_better(&first, &second) +
						     symbol_alias_is_better(&second, &first),
					     a != b, "%s, %s", a->name, b->name);
			}
	assert_no_leaks();
}
