/* SPDX-License-Identifier: MIT */
/*
 * Which times a selection takes, as perf's --time has them: in seconds, or in percent of the time
 * from the first sample to the last, which is known only when the capture has been opened.
 *
 *     1.5,2   1.5,   ,2   "1,2 5,6"                  ──────────────▶ times_ns
 *     10%   10%/2   10%-20%,40%-50%   0%,50%   ──▶ time_shares ──▶ times_ns
 */
#ifndef PROFILE_SELECTION_TIME_H
#define PROFILE_SELECTION_TIME_H

#include "profile/selection.h"

/* What shares are counted in: billionths of a percent. */
#define SELECTION_TIME_WHOLE ((uint64_t)100 * 1000000000)

/* Adds what text says to times_ns or time_shares. option is named in the error. */
bool selection_time_parse(const char *option, const char *text, struct selection *ret,
			  struct error *err) WARN_UNUSED;

/*
 * Adds the ranges that are these shares of [first_ns, last_ns]. One that ends where the next could
 * begin leaves that nanosecond to it.
 */
void selection_time_place(const selection_ranges *shares, uint64_t first_ns, uint64_t last_ns,
			  selection_ranges *ret);

#endif
