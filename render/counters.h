/* SPDX-License-Identifier: MIT */
/*
 * The events of a profile as counters: what each came to, and what some say together.
 *
 *     1,234,567  cycles
 *     2,345,678  instructions      1.90 instructions per cycle, 0.53 cycles per instruction
 *        12,345  cache-references
 *         1,234  cache-misses      10.00% of cache-references
 */
#ifndef RENDER_COUNTERS_H
#define RENDER_COUNTERS_H

#include "base/sink.h"
#include "profile/profile.h"

/* One thing two counters say together. */
struct counter_ratio {
	const char *name; /* "instructions-per-cycle"; NULL: nothing */
	uint32_t of;      /* the other event */
	double value;
};

/* What an event says with another that is there: at most two things, the others without a name. */
void counters_find_ratios(const struct profile *profile, uint32_t event,
			  struct counter_ratio ratios[2]);

void counters_write(const struct profile *profile, bool is_json, struct sink *sink);

#endif
