/* SPDX-License-Identifier: MIT */
/*
 * Converts the capture's clock to time of day. The conversion requires the time of one moment on
 * both clocks, which perf record -k writes.
 *
 *     capture's clock    1056.299982
 *     wall clock         2026-11-22T12:35:11.154598Z, as nanoseconds since 1970
 */
#ifndef PROCESS_WALL_CLOCK_H
#define PROCESS_WALL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"

#define WALL_CLOCK_ADVICE "record with perf record -k mono"
/* The error message if the wall-clock time is unknown. */
#define WALL_CLOCK_UNKNOWN                                                                        \
	"the capture does not record the wall-clock time; " WALL_CLOCK_ADVICE ", or set it with " \
	"--utc-offset"

struct wall_clock {
	bool is_known;
	uint64_t wall_ns, clock_ns; /* the time of the same moment on each clock */
};

/* These functions convert from one clock to the other. Results saturate at 0 and UINT64_MAX. */
uint64_t wall_clock_of(const struct wall_clock *clock, uint64_t clock_ns);
uint64_t wall_clock_back(const struct wall_clock *clock, uint64_t wall_ns);

/*
 * Writes local date and time as in "2026-11-22 12:35:11.154598". Times are truncated to
 * microseconds unless has_ns is set.
 */
void wall_clock_write(const struct wall_clock *clock, uint64_t clock_ns, bool has_ns,
		      struct sink *sink);

#endif
