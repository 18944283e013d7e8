/* SPDX-License-Identifier: MIT */
#include "profile/tree/trie.h"

#include <criterion/criterion.h>

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
	trie_add(trie, texts, count, 1, weight);
}

/* The count of a stack; UINT64_MAX: there is no such node. */
static uint64_t weight_of(const struct trie *trie, uint32_t root, const char *digits)
{
	uint32_t at = trie->roots.at[root].node;

	for (; *digits; digits++) {
		uint32_t next = at + 1;

		while (next < trie->nodes.count &&
		       (trie->nodes.at[next].parent != at ||
			trie->nodes.at[next].text != (uint32_t)(*digits - '0')))
			next++;
		if (next == trie->nodes.count)
			return UINT64_MAX;
		at = next;
	}
	return trie->nodes.at[at].period_sum;
}

Test(trie, counts_stacks_by_what_they_share)
{
	struct trie trie;

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
	/* Two roots, and a node for each distinct prefix. */
	cr_assert_eq(trie.nodes.count, 2 + 5 + 3);
	trie_deinit(&trie);
}

/* The next stack is also compared with a stack that was left out. */
Test(trie, knows_less_behind_a_stack_that_is_left_out)
{
	struct trie trie;

	trie_init(&trie);
	add(&trie, 7, 0, "0123", 1);
	/* "01456" is left out; "01457" shares four frames with it, two of which are known. */
	trie_leave_out(&trie, 2);
	add(&trie, 7, 4, "01457", 1);
	trie_flush(&trie);
	cr_assert_eq(weight_of(&trie, 0, "01457"), 1);
	cr_assert_eq(trie.nodes.count, 1 + 4 + 3);
	trie_deinit(&trie);
}

/* More stacks than are buffered at once, in any order, give the same nodes. */
Test(trie, is_the_same_in_any_order)
{
	static const uint32_t steps[] = { 1, 333, 999 };

	for (size_t k = 0; k < ARRAY_SIZE(steps); k++) {
		struct trie trie;

		trie_init(&trie);
		for (uint32_t i = 0; i < 1000; i++) {
			uint32_t number = i * steps[k] % 1000;
			char digits[8];

			snprintf(digits, sizeof(digits), "%03u", (unsigned)number);
			add(&trie, 1, 0, digits, number);
		}
		trie_flush(&trie);
		for (uint32_t i = 0; i < 1000; i += 99) {
			char digits[8];

			snprintf(digits, sizeof(digits), "%03u", (unsigned)i);
			cr_assert_eq(weight_of(&trie, 0, digits), i, "%s", digits);
		}
		cr_assert_eq(trie.nodes.count, 1 + 10 + 100 + 1000);
		trie_deinit(&trie);
	}
}
