/* SPDX-License-Identifier: MIT */
/*
 * Computes ratios of two counters from a perf stat table, or of two events in a profile:
 *
 *     instructions 2,345,678   cycles 1,234,567           1.90 instructions per cycle, and its inverse
 *     cache-misses 1,234       cache-references 12,345    miss rate 10.00%
 */
#ifndef DIFF_COUNTER_RATIO_H
#define DIFF_COUNTER_RATIO_H

#include "profile/profile.h"

#define COUNTER_RATIOS_MAX 2

#define COUNTER_NONE UINT32_MAX

/* Two events, and the name of their ratio. name NULL: an unused entry. */
struct counter_pair {
	const char *name;
	uint32_t above, below;
};

/* Finds the events with which an event forms ratios. Unused entries have no name. */
void counter_pairs_find(const struct profile *profile, uint32_t event,
			struct counter_pair pairs[COUNTER_RATIOS_MAX]);

/*
 * The event that counts instructions on the same PMU and with the same modifiers as this event, or
 * COUNTER_NONE.
 */
uint32_t counter_instructions_beside(const struct profile *profile, uint32_t event);

struct counter_ratio {
	/* "instructions-per-cycle", "cycles-per-instruction", "miss-rate"; NULL if none */
	const char *name;
	uint32_t of; /* the other event */
	double value;
};

/* Finds the ratios of an event. Unused entries have no name. */
void counter_ratios_find(const struct profile *profile, uint32_t event,
			 struct counter_ratio ratios[COUNTER_RATIOS_MAX]);

#endif
