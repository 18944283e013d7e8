/* SPDX-License-Identifier: MIT */
/*
 * What each function weighs itself, and in all its places together, of recursion the outermost alone:
 *
 *     main 2 ─ walk 3 ─ walk 4          main: self 2, total 9;  walk: self 7, total 7
 *
 * Of a profile that lacks some of its stacks these are the numbers that came with it (struct exact).
 */
#ifndef PROFILE_TREE_FUNCTION_SUMS_H
#define PROFILE_TREE_FUNCTION_SUMS_H

#include "profile/profile.h"

struct function_sums {
	struct function_sum *of_frame; /* by frame_id */
	/* By str_id: totals of functions that are several frames of one name, which may call each other. */
	uint64_t *total_of_name;
	uint32_t *frame_count_of_name;
};

/* What rows weigh in the place of what the profile says; NULL: that. */
struct function_weights {
	const uint64_t *self, *total; /* by row */
};

void function_sums_init(struct function_sums *sums, const struct profile *profile,
			const struct function_weights *weights);
void function_sums_deinit(struct function_sums *sums);

/* The same of the rows that are there, whatever came with the profile. */
void function_sums_of_tree(struct function_sums *sums, const struct profile *profile,
			   const struct function_weights *weights);

#endif
