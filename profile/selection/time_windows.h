/* SPDX-License-Identifier: MIT */
/*
 * The windows of time that --time selects, for what has a duration: a wait counts for the part of it
 * that is in a window. Two windows that meet share no time, so the parts in windows that cover all
 * time add up to the whole.
 *
 *     windows        [10 ───────── 20)      [30 ─── 40)
 *     wait      5 ───────────── 17                          7 of its 12 ns
 *     wait                  15 ────────────────── 35       10 of its 20 ns
 */
#ifndef PROFILE_SELECTION_TIME_WINDOWS_H
#define PROFILE_SELECTION_TIME_WINDOWS_H

#include "profile/selection/selection.h"

struct time_window {
	uint64_t begin_ns, end_ns;
};

struct time_windows {
	VEC(struct time_window) rows; /* in order of time; none touches the next */
	bool is_limited;              /* false: all time counts */
};

/* Makes windows of the times of a selection, which may be NULL. */
void time_windows_init(struct time_windows *windows, const struct selection *selection);
void time_windows_deinit(struct time_windows *windows);

/* How much of the time from one moment to another is in windows; windows NULL: all of it. */
uint64_t time_windows_part(const struct time_windows *windows, uint64_t from_ns, uint64_t until_ns);

/* Whether a moment is in a window; its end is too. */
bool time_windows_has(const struct time_windows *windows, uint64_t time_ns);

/* The moment between the begin of the first window and the end of the last that is nearest to this one. */
uint64_t time_windows_nearest(const struct time_windows *windows, uint64_t time_ns);

#endif
