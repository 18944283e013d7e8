/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define MANY 20000

Test(strings, equal_bytes_have_equal_ids_in_order_of_mention)
{
	static const struct {
		const char *bytes;
		size_t length;
		uint32_t id;
	} rows[] = {
		{ "", 0, 0 },     { "a", 1, 1 },    { "b", 1, 2 },    { "a", 1, 1 },
		{ "ab", 2, 3 },   { "ab", 1, 1 },   { "a\0b", 3, 4 }, { "a\0c", 3, 5 },
		{ "\xff", 1, 6 }, { "a\0b", 3, 4 }, { "", 0, 0 },     { "\0", 1, 7 },
	};
	struct strings strings;

	strings_init(&strings);
	cr_expect_eq(strings_get(&strings, STR_EMPTY).length, 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		str_id id = strings_intern(&strings, rows[i].bytes, rows[i].length);
		struct text text = strings_get(&strings, id);

		cr_expect_eq(id.i, rows[i].id, "row %zu has id %u", i, id.i);
		cr_expect_eq(text.length, rows[i].length, "row %zu", i);
		cr_expect_eq(memcmp(text.at, rows[i].bytes, rows[i].length), 0, "row %zu", i);
		cr_expect_eq(text.at[text.length], '\0', "row %zu", i);
	}
	cr_expect_eq(strings.rows.count, 8);
	strings_deinit(&strings);
	assert_no_leaks();
}

Test(strings, what_was_never_interned_is_not_found)
{
	struct strings strings;
	str_id parse;

	strings_init(&strings);
	cr_expect_eq(strings_find(&strings, text_of("parse")).i, STR_EMPTY.i);
	parse = strings_intern_text(&strings, "parse");
	cr_expect_eq(strings_find(&strings, text_of("parse")).i, parse.i);
	cr_expect_eq(strings_find(&strings, text_of("pars")).i, STR_EMPTY.i);
	strings_deinit(&strings);
}

Test(strings, text_stays_where_it_is)
{
	struct strings strings;
	const char *first;
	char name[32];

	strings_init(&strings);
	first = strings_text(&strings, strings_intern_text(&strings, "first"));
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < MANY; i++) {
			snprintf(name, sizeof(name), "name %u", i);
			cr_assert_eq(strings_intern_text(&strings, name).i, i + 2);
		}
	}
	cr_expect_eq(strings_text(&strings, strings_intern_text(&strings, "first")), first);
	cr_expect_str_eq(first, "first");
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "name %u", i);
		cr_assert_str_eq(strings_text(&strings, (str_id){ i + 2 }), name);
	}
	strings_deinit(&strings);
}

Test(strings, order_is_that_of_bytes)
{
	static const char *const ascending[] = {
		"", "A", "a", "a ", "a;", "aa", "b", "\x7f", "\xff"
	};

	for (size_t i = 0; i < ARRAY_SIZE(ascending); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(ascending); k++) {
			int order = text_compare(text_of(ascending[i]), text_of(ascending[k]));

			cr_expect_eq((order > 0) - (order < 0), (i > k) - (i < k), "%s and %s",
				     ascending[i], ascending[k]);
			cr_expect_eq(text_equal(text_of(ascending[i]), text_of(ascending[k])),
				     i == k);
		}
	}
}

Test(strings, parts_of_text)
{
	static const struct {
		const char *text, *part;
		bool is_prefix, is_suffix;
	} rows[] = {
		{ "", "", true, true },      { "", "a", false, false },
		{ "a", "", true, true },     { "a", "a", true, true },
		{ "ab", "a", true, false },  { "ab", "b", false, true },
		{ "ab", "ab", true, true },  { "ab", "abc", false, false },
		{ "b", "ab", false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text text = text_of(rows[i].text);

		cr_expect_eq(text_has_prefix(text, rows[i].part), rows[i].is_prefix, "row %zu", i);
		cr_expect_eq(text_has_suffix(text, rows[i].part), rows[i].is_suffix, "row %zu", i);
	}
}

Test(strings, the_last_part_of_a_path)
{
	static const char *const rows[][2] = {
		{ "/usr/lib/a.so", "a.so" },
		{ "a.so", "a.so" },
		{ "/a", "a" },
		{ "usr/", "" },
		{ "/", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect(text_is(text_basename(text_of(rows[i][0])), rows[i][1]), "%s",
			  rows[i][0]);
	cr_expect_eq(text_basename((struct text){ 0 }).length, 0);
}
