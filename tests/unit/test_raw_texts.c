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
	cr_assert_lt(a.rows.at[0].number, CHAIN_MARKER_FIRST);
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
