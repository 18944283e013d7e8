/* SPDX-License-Identifier: MIT */
/*
 * What two counters of one table say together:
 *
 *     instructions 2,345,678   cycles 1,234,567           1.90 instructions per cycle, and the reverse
 *     cache-misses 1,234       cache-references 12,345    10.00% of the references
 */
#ifndef DIFF_COUNTER_RATIO_H
#define DIFF_COUNTER_RATIO_H

#include "profile/profile.h"

#define COUNTER_RATIOS_MAX 2

struct counter_ratio {
	const char *
		name; /* "instructions-per-cycle", "cycles-per-instruction", "miss-rate"; NULL: nothing */
	uint32_t of; /* the other event */
	double value;
	bool is_inverse; /* the other event, divided by this */
};

/* What an event says with another that was counted alike, the others without a name. */
void counter_ratios_find(const struct profile *profile, uint32_t event,
			 struct counter_ratio ratios[COUNTER_RATIOS_MAX]);

#endif
