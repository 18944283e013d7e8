/* SPDX-License-Identifier: MIT */
/*
 * Finds the time span of the samples. The span is read from the header if perf record stored it
 * there (without -B); otherwise, it is computed from all samples, in parallel. Also converts --time
 * to times on the capture's clock.
 */
#ifndef SESSION_TIME_SPAN_H
#define SESSION_TIME_SPAN_H

#include "libparse/formats.h"
#include "profile/selection/marks.h"
#include "profile/selection/selection.h"

struct time_span {
	uint64_t first_ns, last_ns; /* first > last: no sample has a time */
};

/* Finds the span. Must be called after capture_read_state. */
bool time_span_find(const struct capture *capture, unsigned thread_count, struct time_span *ret,
		    struct error *err) WARN_UNUSED;

/*
 * Converts marks to the clock of the capture, and sorts them. Marks more than margin_ns away from
 * all samples are outside. Times above a thousand million seconds are taken as wall-clock times,
 * unless the capture's own clock has such times. The caller frees the rows.
 */
bool time_span_place_marks(const struct capture *capture, unsigned thread_count,
			   const struct wall_clock *clock, const struct marks *marks,
			   uint64_t margin_ns, struct placed_marks *ret,
			   struct error *err) WARN_UNUSED;

/*
 * Converts the relative times of a selection to the clock of the capture, and adds them to
 * times_ns. Does nothing if there are no relative times. clock: the capture's wall clock. With
 * around, times_ns become the windows around the marks, clipped to --time, and ret becomes the list
 * of these marks.
 *
 * A time of day without a date is on the day on which the capture began. If this time is outside
 * the capture, but the same time on the next or previous day is inside, that day is used. For a
 * range of two times of day, the first range that overlaps the capture is used.
 */
bool time_span_resolve_selection(const struct capture *capture, unsigned thread_count,
				 const struct wall_clock *clock, struct selection *selection,
				 struct placed_marks *ret, struct error *err) WARN_UNUSED;

/*
 * Sets unselected_ns, the time of the capture that is not selected. Does nothing unless the samples
 * have times, and the selection is limited to some of them.
 */
void time_span_find_unselected(struct profile *profile, const struct selection *selection);

#endif
