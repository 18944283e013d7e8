/* SPDX-License-Identifier: MIT */
/*
 * Names that are a number or a range of numbers, as histograms label their rows, and their numeric order:
 *
 *     7    2 -> 3    [2, 4)    [1K, 2K)    [1]    (..., 0)    [100, ...)
 */
#ifndef PROFILE_BUCKET_H
#define PROFILE_BUCKET_H

#include "base/strings.h"

/*
 * Below 0 or above: the order of two names by where their ranges begin. 0: their texts decide, as they do
 * where neither is a range. Where one is, its text becomes "0", so that all ranges are neighbours.
 */
int bucket_order(struct text *a, struct text *b);

#endif
