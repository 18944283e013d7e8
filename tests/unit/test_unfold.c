/* SPDX-License-Identifier: MIT */
#include "profile/tree/unfold.h"

#include <criterion/criterion.h>

#include "base/arithmetic.h"
#include "tests/support/leaks.h"

/* Each stack is added this many times, which is more than one batch. */
#define TURNS (2 * DISTINCT_STACKS_PENDING)

static void add(struct distinct_stacks *stacks, const uint32_t *frames, uint32_t count,
		uint64_t weight, uint64_t hash)
{
	distinct_stacks_add(stacks,
			    &(struct sorted_stack){
				    .frames = frames,
				    .count = count,
				    .sample_count = 1,
				    .weight = weight,
			    },
			    hash);
}

/* Correct even if all hashes are equal. */
Test(unfold, equal_stacks_are_one_row)
{
	static const struct {
		uint32_t frames[3], count;
		uint64_t weight, hash;
	} rows[] = {
		{ { 4, 9, 7 }, 3, 3, 11 }, { { 4, 9 }, 2, 10, 12 },    { { 4, 9, 7 }, 3, 5, 11 },
		{ { 0 }, 0, 1, 13 },       { { 4, 9, 8 }, 3, 20, 14 }, { { 0 }, 0, UINT64_MAX, 13 },
	};
	static const struct {
		uint64_t sample_count, weight;
	} expected[] = { { 2, 8 }, { 1, 10 }, { 2, UINT64_MAX }, { 1, 20 } };

	for (int is_good = 0; is_good < 2; is_good++) {
		struct distinct_stacks stacks;
		struct stack_list list;

		distinct_stacks_init(&stacks);
		for (size_t i = 0; i < TURNS * ARRAY_SIZE(rows); i++) {
			size_t row = i % ARRAY_SIZE(rows);
			uint32_t buffer[3];
			size_t size_bytes = rows[row].count * sizeof(*buffer);

			memcpy(buffer, rows[row].frames, size_bytes);
			add(&stacks, rows[row].count ? buffer : NULL, rows[row].count,
			    rows[row].weight, is_good ? rows[row].hash : 1);
			memset(buffer, 0xee, sizeof(buffer));
		}
		list = distinct_stacks_take(&stacks);
		cr_assert_eq(list.count, ARRAY_SIZE(expected));
		for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
			cr_expect_eq(list.at[i].sample_count, TURNS * expected[i].sample_count);
			cr_expect_eq(list.at[i].weight,
				     saturate_multiply(expected[i].weight, TURNS));
		}
		cr_expect_eq(memcmp(list.at[3].frames, rows[4].frames, 12), 0);
		vec_free(&list);
		distinct_stacks_deinit(&stacks);
	}
	assert_no_leaks();
}
