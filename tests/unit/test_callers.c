/* SPDX-License-Identifier: MIT */
#include "profile/tree/callers.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

/* Parents are right on both sides of each word, and however many of them are stored. */
Test(callers, parents)
{
	struct random random = { 5 };
	VEC(uint32_t) parents = { 0 };
	struct callers callers;

	for (int turn = 0; turn < 2; turn++) {
		callers_init(&callers);
		parents.count = 0;
		vec_push(&parents, CALLERS_NONE);
		for (uint32_t i = 1; i < 10 * BIT_RANK_WORD_BITS; i++) {
			uint32_t parent =
				random_below(&random, 2) ? i - 1 : random_below(&random, i);

			/* Whole words without stored parents, and with nothing else. */
			if (i / BIT_RANK_WORD_BITS == 3)
				parent = i - 1;
			if (i / BIT_RANK_WORD_BITS == 6)
				parent = 7;
			cr_assert_eq(callers_add(&callers, parent, (location_id){ 3 * i }), i);
			vec_push(&parents, parent);
		}
		for (uint32_t i = 1; i < parents.count; i++) {
			cr_assert_eq(callers_parent(&callers, i), parents.at[i], "node %u", i);
			cr_assert_eq(callers.locations.at[i].i, 3 * i);
		}
		callers_deinit(&callers);
	}
	vec_free(&parents);
	assert_no_leaks();
}
