/* SPDX-License-Identifier: MIT */
#include "profile/raw_texts.h"

#include <criterion/criterion.h>

#include "libparse/event.h"

static uint32_t intern(struct raw_texts *texts, const char *text)
{
	return raw_texts_intern(texts, text_of(text), raw_texts_number(text_of(text)));
}

Test(raw_texts, have_rows_in_order_and_numbers_of_their_own)
{
	struct raw_texts a;
	struct raw_texts b;

	raw_texts_init(&a);
	raw_texts_init(&b);
	cr_assert_eq(intern(&a, "one"), 0);
	cr_assert_eq(intern(&a, ""), 1);
	cr_assert_eq(intern(&a, "one"), 0);
	cr_assert_eq(intern(&b, "two"), 0);
	cr_assert_eq(intern(&b, "one"), 1);
	cr_assert_eq(a.rows.at[0].number, b.rows.at[1].number);
	cr_assert_lt(a.rows.at[0].number, CALLCHAIN_MARKER_FIRST);
	cr_assert_eq(raw_texts_find(&b, a.rows.at[0].number), 1);
	cr_assert_eq(raw_texts_find(&a, b.rows.at[0].number), RAW_TEXT_NONE);
	cr_assert_not(a.is_ambiguous || b.is_ambiguous);
	raw_texts_deinit(&a);
	raw_texts_deinit(&b);
}

Test(raw_texts, notice_two_texts_with_one_number)
{
	struct raw_texts texts;

	raw_texts_init(&texts);
	raw_texts_intern(&texts, text_of("one"), 7);
	raw_texts_intern(&texts, text_of("one"), 7);
	cr_assert_not(texts.is_ambiguous);
	raw_texts_intern(&texts, text_of("two"), 7);
	cr_assert(texts.is_ambiguous);
	cr_assert_eq(texts.rows.count, 1);
	raw_texts_deinit(&texts);
}

/*
 * Texts that are interned at once, some of them new and some twice, get the same result as one
 * after the other.
 */
Test(raw_texts, interned_together_are_as_interned_alone)
{
	enum {
		COUNT = 500
	};
	struct raw_texts alone;
	struct raw_texts together;
	struct raw_texts merged;
	struct text all[COUNT];
	uint64_t numbers[COUNT];
	char names[COUNT][8];

	raw_texts_init(&alone);
	raw_texts_init(&together);
	raw_texts_init(&merged);
	for (int i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d", i * i % 331);
		all[i] = text_of(names[i]);
		intern(&alone, names[i]);
	}
	for (uint32_t i = 0, step = 1; i < COUNT; i += step, step = step * 2 % 61) {
		uint32_t count = COUNT - i < step ? COUNT - i : step;

		raw_texts_intern_all(&together, all + i, count, numbers + i);
		raw_texts_merge(&merged, &together, merged.rows.count);
	}
	raw_texts_intern_all(&together, NULL, 0, NULL);
	cr_assert_eq(together.rows.count, alone.rows.count);
	cr_assert_eq(merged.rows.count, alone.rows.count);
	for (size_t i = 0; i < alone.rows.count; i++) {
		cr_assert(text_equal(alone.rows.at[i].text, together.rows.at[i].text));
		cr_assert(text_equal(alone.rows.at[i].text, merged.rows.at[i].text));
	}
	for (int i = 0; i < COUNT; i++)
		cr_assert_eq(numbers[i], raw_texts_number(all[i]));
	raw_texts_deinit(&alone);
	raw_texts_deinit(&together);
	raw_texts_deinit(&merged);
}
