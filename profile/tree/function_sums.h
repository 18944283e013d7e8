/* SPDX-License-Identifier: MIT */
/*
 * Computes the self and total weight of each function; in total, recursive calls count once:
 *
 *     main 2 ─ walk 3 ─ walk 4          main: self 2, total 9;  walk: self 7, total 7
 *
 * For a profile that lacks stacks, these are the exact sums from its input (struct exact).
 */
#ifndef PROFILE_TREE_FUNCTION_SUMS_H
#define PROFILE_TREE_FUNCTION_SUMS_H

#include "profile/profile.h"

struct function_sums {
	struct function_sum *of_frame; /* by frame_id */
	/* By str_id, because several frames may have the same name and call each other. */
	uint64_t *total_of_name;
	uint32_t *frame_count_of_name;
};

/* Weights to use instead of the profile's. */
struct function_weights {
	const uint64_t *self, *total; /* by row */
};

void function_sums_init(struct function_sums *sums, const struct profile *profile,
			const struct function_weights *weights);
void function_sums_deinit(struct function_sums *sums);

/* The sums of the tree, even if the profile has exact sums. */
void function_sums_of_tree(struct function_sums *sums, const struct profile *profile,
			   const struct function_weights *weights);

#endif
