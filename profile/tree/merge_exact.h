/* SPDX-License-Identifier: MIT */
/*
 * Adds up the exact sums of functions when a profile is added to another one, if at least one of
 * them lacks stacks. For a profile that has all its stacks, the sums of its tree are exact.
 */
#ifndef PROFILE_TREE_MERGE_EXACT_H
#define PROFILE_TREE_MERGE_EXACT_H

#include "profile/tree/function_sums.h"

struct merge_exact {
	bool is_needed; /* a profile has exact sums */
	struct function_sums own, other;
	size_t own_frame_count, own_string_count;
};

/* Takes the sums of both profiles, before they are merged. */
void merge_exact_begin(struct merge_exact *merge, const struct profile *profile,
		       const struct profile *from);

/*
 * Sets the sums of the merged profile, and releases those of both. of_own, of_other: the frames of
 * the merged profile, by frame of both.
 */
void merge_exact_end(struct merge_exact *merge, struct profile *profile, const struct profile *from,
		     const uint32_t *of_own, const uint32_t *of_other);

#endif
