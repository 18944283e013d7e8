/* SPDX-License-Identifier: MIT */
/*
 * Exact quantiles of stored numbers. A quantile is one of the numbers:
 *
 *     1 2 3 4 5 6 7 8 9 10     p50 is 5: half of the numbers are at most 5
 */
#ifndef BASE_QUANTILE_H
#define BASE_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* Sorts numbers in ascending order. */
void quantile_sort(uint64_t *numbers, size_t count);

/*
 * The smallest x of the sorted numbers such that at least this share of the numbers is at most x. 0
 * if count is 0.
 */
uint64_t quantile_of(const uint64_t *numbers, size_t count, double share);

#endif
