/* SPDX-License-Identifier: MIT */
/*
 * Counts the samples of each function by time bin, for a profile whose stacks are binned
 * (profile/time_bins.h):
 *
 *     function       cells: bin, self, total
 *     compact        (25, 11, 11)  (26, 9, 9)  (75, 12, 12)  ...
 *     serve          (0, 0, 10)  (1, 1, 10)  (2, 0, 9)  ...
 *
 * There are no cells for bins without the function. In total, a recursive function counts only
 * once.
 */
#ifndef TIMELINE_FUNCTION_SERIES_H
#define TIMELINE_FUNCTION_SERIES_H

#include "profile/profile.h"

struct function_cell {
	uint32_t bin;
	uint32_t self, total; /* in samples, at most UINT32_MAX */
};

/* The cells of frame f are cells[begins[f] .. begins[f + 1]), in bin order. */
struct function_series {
	size_t bin_count;
	VEC(struct function_cell) cells;
	VEC(size_t) begins;
	VEC(uint64_t) bin_samples; /* samples of all stacks in each bin */
};

/* The profile's weights must be numbers of samples. */
void function_series_init(struct function_series *series, const struct profile *profile);
void function_series_deinit(struct function_series *series);

#endif
