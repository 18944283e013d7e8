/* SPDX-License-Identifier: MIT */
/*
 * Writes the events of a profile as counters, with derived ratios:
 *
 *     1,234,567  cycles
 *     2,345,678  instructions      1.90 instructions per cycle, 0.53 cycles per instruction
 *        12,345  cache-references
 *         1,234  cache-misses      10.00% of cache-references
 */
#ifndef RENDER_TEXT_COUNTERS_H
#define RENDER_TEXT_COUNTERS_H

#include "base/sink.h"
#include "profile/profile.h"

struct counters_options {
	const char *event_pattern; /* events to show; NULL means all */
	bool is_json;
};

void counters_write(const struct profile *profile, const struct counters_options *options,
		    struct sink *sink);

/* Writes the value of a counter: "1,234,567", "12.3 ms". */
void counters_write_value(struct sink *sink, uint64_t value, enum weight_unit unit);

#endif
