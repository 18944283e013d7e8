/* SPDX-License-Identifier: MIT */
/*
 * Sorts names that are numbers or ranges, as in histogram rows, in numeric order:
 *
 *     7    2 -> 3    [2, 4)    [1K, 2K)    [1]    (..., 0)    [100, ...)
 */
#ifndef PROFILE_BUCKET_H
#define PROFILE_BUCKET_H

#include "base/strings.h"

/*
 * Compares two ranges by their lower bounds. Returns 0 if the caller must compare the texts
 * instead, for example when neither is a range. If only one is a range, its text becomes "0", so
 * that all ranges sort next to each other.
 */
int bucket_order(struct text *a, struct text *b);

/*
 * The values that a bucket counts: low <= value < high. Open buckets begin at -INFINITY or end at
 * INFINITY.
 */
struct bucket_range {
	double low, high;
};

/* Gets the range of a name such as "2 -> 3", "[1K, 2K)", "(..., 0)" or "7". The counted values are
 * integers. */
bool bucket_range(struct text name, struct bucket_range *ret);

#endif
