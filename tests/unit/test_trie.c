/* SPDX-License-Identifier: MIT */
#include "profile/tree/trie.h"

#include <criterion/criterion.h>

/* The texts "0" to "9", each at the row of this number. */
static struct raw_texts digit_texts;

static void init_digits(void)
{
	raw_texts_init(&digit_texts);
	for (char digit = '0'; digit <= '9'; digit++) {
		struct text text = { &digit, 1 };

		raw_texts_intern(&digit_texts, text, raw_texts_number(text));
	}
}

static void deinit_digits(void)
{
	raw_texts_deinit(&digit_texts);
}

/* Adds a stack given as digits, each a text, without shared frames. */
static void add(struct trie *trie, uint64_t head, uint32_t shared, const char *digits,
		uint64_t weight)
{
	struct callchain_key key = { .head = head };
	uint32_t known = trie_begin(trie, &key, shared);
	uint32_t count = (uint32_t)strlen(digits) - known;
	uint32_t texts[16];

	for (uint32_t i = 0; i < count; i++)
		texts[i] = (uint32_t)(digits[known + i] - '0');
	trie_add(trie, &digit_texts, texts, count, 1, weight);
}

/* The sum over all nodes of a stack below a node; UINT64_MAX: there is no such node. */
static uint64_t weight_below(const struct trie *trie, uint32_t at, const char *digits)
{
	uint64_t sum = UINT64_MAX;

	if (!*digits)
		return trie->nodes.at[at].period_sum;
	for (uint32_t i = at + 1; i < trie->nodes.count; i++) {
		const struct trie_node *node = &trie->nodes.at[i];
		uint64_t weight;

		if (node->parent != at || node->text != (uint32_t)(*digits - '0'))
			continue;
		weight = weight_below(trie, i, digits + 1);
		if (weight != UINT64_MAX)
			sum = sum == UINT64_MAX ? weight : sum + weight;
	}
	return sum;
}

static uint64_t weight_of(const struct trie *trie, uint32_t root, const char *digits)
{
	return weight_below(trie, trie->roots.at[root].node, digits);
}

/* All stacks of five digits, and their nodes. */
#define STACKS 100000u
#define NODES  (1u + 10 + 100 + 1000 + 10000 + STACKS)

Test(trie, counts_stacks_by_what_they_share)
{
	struct trie trie;

	init_digits();
	trie_init(&trie);
	add(&trie, 7, 0, "012", 1);
	add(&trie, 7, 2, "013", 10);
	add(&trie, 7, 3, "0134", 100);
	add(&trie, 7, 4, "0134", 1000);
	add(&trie, 7, 1, "0", 5);
	add(&trie, 7, 0, "", 6);
	/* A stack of another key, which shares nothing. */
	add(&trie, 8, 0, "013", 2);
	add(&trie, 7, 2, "013", 20);
	trie_flush(&trie);
	cr_assert_eq(trie.roots.count, 2);
	cr_assert_eq(weight_of(&trie, 0, "012"), 1);
	cr_assert_eq(weight_of(&trie, 0, "013"), 30);
	cr_assert_eq(weight_of(&trie, 0, "0134"), 1100);
	cr_assert_eq(weight_of(&trie, 0, "0"), 5);
	cr_assert_eq(weight_of(&trie, 0, "01"), 0);
	cr_assert_eq(weight_of(&trie, 0, ""), 6);
	cr_assert_eq(weight_of(&trie, 1, "013"), 2);
	cr_assert_eq(weight_of(&trie, 1, "012"), UINT64_MAX);
	/* Two roots, a node for each distinct prefix, and those of "013" after the other root. */
	cr_assert_eq(trie.nodes.count, 2 + 5 + 3 + 3);
	trie_deinit(&trie);
	deinit_digits();
}

/* The next stack is also compared with a stack that was left out. */
Test(trie, knows_less_behind_a_stack_that_is_left_out)
{
	struct trie trie;

	init_digits();
	trie_init(&trie);
	add(&trie, 7, 0, "0123", 1);
	/* "01456" is left out; "01457" shares four frames with it, two of which are known. */
	trie_leave_out(&trie, 2);
	add(&trie, 7, 4, "01457", 1);
	trie_flush(&trie);
	cr_assert_eq(weight_of(&trie, 0, "01457"), 1);
	cr_assert_eq(trie.nodes.count, 1 + 4 + 3);
	trie_deinit(&trie);
	deinit_digits();
}

/* More stacks than are buffered at once, in any order, give the same nodes. */
Test(trie, is_the_same_in_any_order)
{
	static const struct {
		uint32_t step;
		bool has_lookups;
	} rows[] = { { 1, false }, { 33333, true }, { 99999, true } };

	init_digits();
	for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
		struct trie trie;

		trie_init(&trie);
		for (uint32_t i = 0; i < STACKS; i++) {
			uint32_t number = (uint32_t)((uint64_t)i * rows[k].step % STACKS);
			char digits[8];

			snprintf(digits, sizeof(digits), "%05u", (unsigned)number);
			add(&trie, 1, 0, digits, number);
		}
		trie_flush(&trie);
		for (uint32_t i = 0; i < STACKS; i += 9999) {
			char digits[8];

			snprintf(digits, sizeof(digits), "%05u", (unsigned)i);
			cr_assert_eq(weight_of(&trie, 0, digits), i, "%s", digits);
		}
		cr_expect_eq(trie.has_lookups, rows[k].has_lookups);
		/* Few frames have a second node. */
		cr_expect_geq(trie.nodes.count, NODES);
		cr_expect_leq(trie.nodes.count, trie.has_lookups ? NODES * 5 / 4 : NODES);
		trie_deinit(&trie);
	}
	deinit_digits();
}

/* Many files, each sorted, after each other. */
Test(trie, finds_frames_again_when_stacks_are_not_sorted)
{
	struct trie trie;

	init_digits();
	trie_init(&trie);
	for (uint32_t round = 0; round < 20; round++) {
		for (uint32_t i = 0; i < STACKS; i++) {
			char digits[8];

			snprintf(digits, sizeof(digits), "%05u", (unsigned)i);
			add(&trie, 1, 0, digits, 1);
		}
		trie_flush(&trie);
		if (!round)
			cr_expect_eq(trie.nodes.count, NODES);
	}
	cr_expect_eq(weight_of(&trie, 0, "00057"), 20);
	cr_expect_eq(weight_of(&trie, 0, "99999"), 20);
	cr_expect_leq(trie.nodes.count, NODES * 5 / 4);
	trie_deinit(&trie);
	deinit_digits();
}

/* The root of the second stack is known, but not which children it has. */
Test(trie, looks_frames_up_when_roots_alternate)
{
	struct trie trie;

	init_digits();
	trie_init(&trie);
	for (uint32_t i = 0; i < STACKS; i++)
		for (uint32_t root = 0; root < 2; root++) {
			char digits[8];

			snprintf(digits, sizeof(digits), "%05u", (unsigned)i);
			add(&trie, root, 0, digits, 1 + root);
		}
	trie_flush(&trie);
	cr_expect(trie.has_lookups);
	for (uint32_t root = 0; root < 2; root++)
		cr_expect_eq(weight_of(&trie, root, "50000"), 1 + root);
	cr_expect_leq(trie.nodes.count, 2 * NODES * 5 / 4);
	trie_deinit(&trie);
	deinit_digits();
}
