/* SPDX-License-Identifier: MIT */
/*
 * What time of day it was by the capture's clock: one moment read on both clocks, as perf record -k writes it.
 *
 *     capture's clock    1056.299982
 *     wall clock         2026-11-22T12:35:11.154598Z, as nanoseconds since 1970
 */
#ifndef PROCESS_WALL_CLOCK_H
#define PROCESS_WALL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"

/* What to say when it is not known. */
#define WALL_CLOCK_UNKNOWN                                                               \
	"the capture does not say what time of day it was: perf record -k mono records " \
	"that, and --utc-offset says when its clock was 0"

struct wall_clock {
	bool is_known;
	uint64_t wall_ns, clock_ns; /* the same moment */
};

/* From one clock to the other. What is before a clock's beginning is at its beginning, and likewise at the end. */
uint64_t wall_clock_of(const struct wall_clock *clock, uint64_t clock_ns);
uint64_t wall_clock_back(const struct wall_clock *clock, uint64_t wall_ns);

/* Date and time to the microsecond, which is cut, where the user is: "2026-11-22 12:35:11.154598". */
void wall_clock_write(const struct wall_clock *clock, uint64_t clock_ns, struct sink *sink);

#endif
