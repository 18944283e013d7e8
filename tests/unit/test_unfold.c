/* SPDX-License-Identifier: MIT */
#include "profile/tree/unfold.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

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

		distinct_stacks_init(&stacks);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			uint32_t buffer[3];
			size_t size_bytes = rows[i].count * sizeof(*buffer);

			memcpy(buffer, rows[i].frames, size_bytes);
			add(&stacks, rows[i].count ? buffer : NULL, rows[i].count, rows[i].weight,
			    is_good ? rows[i].hash : 1);
			memset(buffer, 0xee, sizeof(buffer));
		}
		cr_assert_eq(stacks.rows.count, ARRAY_SIZE(expected));
		for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
			cr_expect_eq(stacks.rows.at[i].sample_count, expected[i].sample_count);
			cr_expect_eq(stacks.rows.at[i].weight, expected[i].weight);
		}
		cr_expect_eq(memcmp(stacks.rows.at[3].frames, rows[4].frames, 12), 0);
		distinct_stacks_deinit(&stacks);
	}
	assert_no_leaks();
}
