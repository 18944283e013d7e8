/* SPDX-License-Identifier: MIT */
/*
 * Parses --time. Times on the capture's clock are used unchanged; other times are converted when
 * the capture is open (session/time_span.h).
 *
 *     1.5,2   1.5,   ,2   "1,2 5,6"                          ──────────▶ times_ns
 *     +1.5,+3   10:30:00.5,   2026-11-22T10:30:00Z,+5   ──▶ periods ──▶ times_ns
 *     10%   10%/2   10%-20%,40%-50%   0%,50%        ──▶ time_shares ──▶ times_ns
 */
#ifndef PROFILE_SELECTION_SELECTION_TIME_H
#define PROFILE_SELECTION_SELECTION_TIME_H

#include "profile/selection/selection.h"

/* One percent in the unit of shares, billionths of a percent. */
#define SELECTION_TIME_WHOLE ((uint64_t)100 * 1000000000)

/* Adds times to times_ns, periods or time_shares. The error names the option. */
bool selection_time_parse(const char *option, const char *text, struct selection *ret,
			  struct error *err) WARN_UNUSED;

/* Parses seconds, +SECONDS, a time of day with or without a date, or nothing. */
bool selection_moment_parse(struct text text, struct selection_moment *ret);

/* Parses the wall-clock time at which the capture's clock was 0: seconds since 1970, or a date. The
 * error names the option. */
bool selection_time_parse_offset(const char *option, const char *text, struct wall_clock *ret,
				 struct error *err) WARN_UNUSED;

/*
 * Adds these shares of [first_ns, last_ns] as ranges. A share ends one nanosecond before the next
 * begins.
 */
void selection_time_place(const selection_ranges *shares, uint64_t first_ns, uint64_t last_ns,
			  selection_ranges *ret);

#define DAY_NS ((uint64_t)86400 * 1000000000)

/*
 * Dates (ISO 8601) and times of day: time_of_day.c.
 *
 *     10:30   10:30:00.5   10:30:00Z   10:30:00+02:00        since midnight
 *     2026-11-22T10:30:00.5Z   2026-11-22T10:30:00-0530      since 1970
 *     2026-11-22T10:30                                       local time, by TZ
 */
struct time_of_day {
	bool has_date; /* ns is counted from 1970 UTC; otherwise from midnight */
	bool has_zone; /* without a date: relative to midnight UTC; otherwise, to local midnight */
	uint64_t ns;
};

/* Returns false if the text is not such a time. */
bool time_of_day_parse(struct text text, struct time_of_day *ret);

#endif
