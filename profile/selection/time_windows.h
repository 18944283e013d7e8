/* SPDX-License-Identifier: MIT */
/*
 * The time windows that --time selects. Only the part of an interval that is inside a window
 * counts. Adjacent windows do not overlap, so the parts of an interval add up to the whole.
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
	VEC(struct time_window) rows; /* ascending; they do not touch */
	bool is_limited;              /* if false, all time counts */
};

/* Creates windows from the times of a selection, which may be NULL. */
void time_windows_init(struct time_windows *windows, const struct selection *selection);
void time_windows_deinit(struct time_windows *windows);

/*
 * Returns how many nanoseconds of an interval are in windows. If windows is NULL, all nanoseconds
 * count.
 */
uint64_t time_windows_part(const struct time_windows *windows, uint64_t from_ns, uint64_t until_ns);

/*
 * Finds the first part of an interval that is in a window: moves the beginning of the interval to
 * this part, and returns the part's duration, at most most_ns. Returns 0 if there is no such part.
 * windows may be NULL.
 */
uint64_t time_windows_next(const struct time_windows *windows, uint64_t *from_ns, uint64_t most_ns);

/* Whether a time is in a window, including the end of the window. */
bool time_windows_has(const struct time_windows *windows, uint64_t time_ns);

/* Clamps a time to the range from the start of the first window to the end of the last window. */
uint64_t time_windows_nearest(const struct time_windows *windows, uint64_t time_ns);

#endif
