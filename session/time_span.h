/* SPDX-License-Identifier: MIT */
/*
 * The time from a capture's first sample to its last: the header has it when perf looked at the
 * samples itself (without -B), else they are looked at here, by all threads.
 */
#ifndef SESSION_TIME_SPAN_H
#define SESSION_TIME_SPAN_H

#include "libparse/formats.h"
#include "profile/selection/selection.h"

struct time_span {
	uint64_t first_ns, last_ns; /* first > last: no sample has a time */
};

/* After capture_read_state. */
bool time_span_find(const struct capture *capture, unsigned thread_count, struct time_span *ret,
		    struct error *err) WARN_UNUSED;

/*
 * Gives a selection the times that its shares and periods are in this capture, in a list of its own. Where it has
 * none it stays as it is. clock: what time of day it was.
 *
 * A time of day alone is that of the day the capture began, or of the next or the one before where only that is
 * in it; of two, from one to the other, the first that meets the capture.
 */
bool time_span_place(const struct capture *capture, unsigned thread_count,
		     const struct wall_clock *clock, struct selection *selection,
		     struct error *err) WARN_UNUSED;

#endif
