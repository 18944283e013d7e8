/* SPDX-License-Identifier: MIT */
/*
 * The time from a capture's first sample to its last: the header has it when perf looked at the
 * samples itself (without -B), else they are looked at here, by all threads.
 */
#ifndef SESSION_TIME_SPAN_H
#define SESSION_TIME_SPAN_H

#include "libparse/formats.h"
#include "profile/selection.h"

struct time_span {
	uint64_t first_ns, last_ns; /* first > last: no sample has a time */
};

/* After capture_read_state. */
bool time_span_find(const struct capture *capture, unsigned thread_count, struct time_span *ret,
		    struct error *err) WARN_UNUSED;

/*
 * Gives a selection the times that its shares of this capture's are, in a list of its own. Where it
 * has no shares it stays as it is.
 */
bool time_span_place(const struct capture *capture, unsigned thread_count,
		     struct selection *selection, struct error *err) WARN_UNUSED;

#endif
