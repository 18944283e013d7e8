/* SPDX-License-Identifier: MIT */
/*
 * The time span of the samples: from the header, if perf record stored it (without -B), else by
 * reading all samples in parallel. Also resolves --time against it.
 */
#ifndef SESSION_TIME_SPAN_H
#define SESSION_TIME_SPAN_H

#include "libparse/formats.h"
#include "profile/selection/selection.h"

struct time_span {
	uint64_t first_ns, last_ns; /* first > last: no sample has a time */
};

/* Call after capture_read_state. */
bool time_span_find(const struct capture *capture, unsigned thread_count, struct time_span *ret,
		    struct error *err) WARN_UNUSED;

/*
 * Adds the relative times of a selection to times_ns, on the clock of the capture. Does nothing if
 * the selection has none. clock: the capture's wall clock.
 *
 * A time of day without a date is on the day the capture began; if only the next or the previous
 * day has it within the capture, on that. A range of two times of day is the first one that
 * overlaps the capture.
 */
bool time_span_resolve_selection(const struct capture *capture, unsigned thread_count,
				 const struct wall_clock *clock, struct selection *selection,
				 struct error *err) WARN_UNUSED;

#endif
