/* SPDX-License-Identifier: MIT */
/* Parts of profile_merge (profile/tree/merge.h): time bins, and exact sums of functions. */
#ifndef PROFILE_TREE_MERGE_PARTS_H
#define PROFILE_TREE_MERGE_PARTS_H

#include "profile/tree/function_sums.h"

/*
 * The time bins of profiles that are merged. The clocks of two captures may differ, so the bins of
 * each capture are counted from that capture's first bin. The bins of both captures get the same
 * width, which is the least common multiple of the two widths.
 *
 *     first    5.2 s [2][0][1]              0 s [2][0][1]
 *     second  91.0 s [4][1]          ─▶     0 s [4][1]          sum  0 s [6][1][1]
 *
 * Moves the bins of both profiles to the rows of the merged profile, and adds them up. of_own,
 * of_other: the new rows, by old row. If one profile has no bins of equal width, the merged profile
 * has no bins.
 */
void merge_bins(struct profile *profile, const struct profile *from, const uint32_t *of_own,
		const uint32_t *of_other);

/*
 * Adds up the exact sums of functions when a profile is added to another one, if at least one of
 * them lacks stacks. For a profile that has all its stacks, the sums of its tree are exact.
 */
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
