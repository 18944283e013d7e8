/* SPDX-License-Identifier: MIT */
/*
 * The time bins of profiles that are merged. The clocks of two captures may differ, so the bins of
 * each capture are counted from that capture's first bin. The bins of both captures get the same
 * width, which is the least common multiple of the two widths.
 *
 *     first    5.2 s [2][0][1]              0 s [2][0][1]
 *     second  91.0 s [4][1]          ─▶     0 s [4][1]          sum  0 s [6][1][1]
 */
#ifndef PROFILE_TREE_MERGE_BINS_H
#define PROFILE_TREE_MERGE_BINS_H

#include "profile/profile.h"

/*
 * Moves the bins of both profiles to the rows of the merged profile, and adds them up. of_own,
 * of_other: the new rows, by old row. If one profile has no bins of equal width, the merged profile
 * has no bins.
 */
void merge_bins(struct profile *profile, const struct profile *from, const uint32_t *of_own,
		const uint32_t *of_other);

#endif
