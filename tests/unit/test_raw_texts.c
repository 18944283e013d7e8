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

/* Writes a text of any length, so that some are equal except for one byte. */
static struct text write_text(char *buffer, uint32_t kind)
{
	uint32_t length = kind % 200;

	memset(buffer, 'x', length);
	if (length)
		buffer[kind / 200 % length] = (char)('a' + kind % 7);
	return (struct text){ buffer, length };
}

/* More texts than can be recent or pending, of which each one is asked for several times. */
Test(raw_texts, that_are_interned_later_are_as_interned_at_once)
{
	enum {
		KINDS = 40000,
		COUNT = 200000
	};
	struct raw_texts at_once;
	struct raw_texts later;
	struct raw_texts merged;
	char buffer[200];
	uint64_t kind = 1;

	raw_texts_init(&at_once);
	raw_texts_init(&later);
	raw_texts_init(&merged);
	for (int i = 0; i < COUNT; i++) {
		/* Low numbers are frequent, like frames. */
		uint32_t few = 1u << i % 16;
		struct text text;
		uint64_t number;

		kind = kind * 6364136223846793005u + 1442695040888963407u;
		text = write_text(buffer, (uint32_t)(kind >> 33) % KINDS % few);
		raw_texts_intern(&at_once, text, raw_texts_number(text));
		raw_texts_intern_all(&later, &text, 1, &number);
		cr_assert_eq(number, raw_texts_number(text));
	}
	raw_texts_merge(&merged, &later, 0);
	cr_assert_eq(later.pending_count, 0);
	cr_assert_eq(later.rows.count, at_once.rows.count);
	cr_assert_eq(merged.rows.count, at_once.rows.count);
	for (size_t i = 0; i < at_once.rows.count; i++) {
		cr_assert(text_equal(later.rows.at[i].text, at_once.rows.at[i].text));
		cr_assert_eq(later.rows.at[i].number, at_once.rows.at[i].number);
		cr_assert(text_equal(merged.rows.at[i].text, at_once.rows.at[i].text));
	}
	cr_assert_not(later.is_ambiguous || merged.is_ambiguous);
	raw_texts_deinit(&at_once);
	raw_texts_deinit(&later);
	raw_texts_deinit(&merged);
}

/* Rows are in order of first appearance, whichever function interned the texts. */
Test(raw_texts, that_are_pending_precede_later_ones)
{
	struct text first = text_of("\t 20 parse+0x9 (/bin/app)");
	struct text second = text_of("\t 10 main+0x40 (/bin/app)");
	struct raw_texts texts;
	uint64_t number;
	uint32_t row;

	raw_texts_init(&texts);
	raw_texts_intern_all(&texts, &first, 1, &number);
	cr_assert_eq(texts.rows.count, 0);
	raw_texts_intern_rows(&texts, &second, 1, &row);
	cr_assert_eq(row, 1);
	cr_assert_eq(raw_texts_find(&texts, number), 0);
	raw_texts_deinit(&texts);
}

/* Copies of pending texts are bounded, and long texts are not copied. */
Test(raw_texts, that_are_long_are_not_kept_pending)
{
	static char bytes[RAW_TEXTS_PENDING_COUNT / 2][8000];
	static char large[100000];
	struct raw_texts texts;
	struct text text = { large, sizeof(large) };
	uint64_t number;

	raw_texts_init(&texts);
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++) {
		struct text one = { bytes[i], sizeof(bytes[i]) };

		bytes[i][i] = 'x';
		raw_texts_intern_all(&texts, &one, 1, &number);
		cr_assert_leq(texts.pending_bytes.count, (size_t)64 << 10);
	}
	cr_assert_lt(texts.pending_count, ARRAY_SIZE(bytes));
	raw_texts_intern_all(&texts, &text, 1, &number);
	cr_assert_eq(texts.pending_count, 0);
	cr_assert_eq(texts.rows.count, ARRAY_SIZE(bytes) + 1);
	cr_assert_eq(raw_texts_find(&texts, number), ARRAY_SIZE(bytes));
	raw_texts_deinit(&texts);
}
