/* SPDX-License-Identifier: MIT */
/*
 * Finds the time span of the samples. It is in the header if perf record stored it there (without
 * -B); otherwise all samples are read in parallel. Also converts --time to times on the capture's
 * clock.
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
 * Converts the relative times of a selection to the clock of the capture, and adds them to
 * times_ns. Does nothing if there are none. clock: the capture's wall clock.
 *
 * A time of day without a date is on the day on which the capture began. If it is not within the
 * capture on that day, but on the next or the previous one, it is on this other day. A range of two
 * times of day is the first one that overlaps the capture.
 */
bool time_span_resolve_selection(const struct capture *capture, unsigned thread_count,
				 const struct wall_clock *clock, struct selection *selection,
				 struct error *err) WARN_UNUSED;

#endif
