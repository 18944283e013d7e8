/* SPDX-License-Identifier: MIT */
#include "profile/selection/time_windows.h"

static int compare(const void *a, const void *b)
{
	const struct time_window *left = a;
	const struct time_window *right = b;

	return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* Joins windows that overlap or touch. Windows must be sorted by beginning. */
static void join(struct time_windows *windows)
{
	size_t kept = 0;

	for (size_t i = 0; i < windows->rows.count; i++) {
		struct time_window window = windows->rows.at[i];

		if (!kept || window.begin_ns > windows->rows.at[kept - 1].end_ns)
			windows->rows.at[kept++] = window;
		else if (window.end_ns > windows->rows.at[kept - 1].end_ns)
			windows->rows.at[kept - 1].end_ns = window.end_ns;
	}
	windows->rows.count = kept;
}

void time_windows_init(struct time_windows *windows, const struct selection *selection)
{
	*windows = (struct time_windows){ .is_limited = false };
	if (!selection || !selection->times_ns.count)
		return;
	windows->is_limited = true;
	for (size_t i = 0; i < selection->times_ns.count; i++) {
		struct selection_range range = selection->times_ns.at[i];
		/*
		 * A share ends one nanosecond before the next begins, so that no sample is in both.
		 */
		bool is_share = selection->time_shares.count && range.last < UINT64_MAX;

		vec_push(&windows->rows,
			 (struct time_window){ range.first, range.last + is_share });
	}
	qsort(windows->rows.at, windows->rows.count, sizeof(*windows->rows.at), compare);
	join(windows);
}

void time_windows_deinit(struct time_windows *windows)
{
	vec_free(&windows->rows);
}

/* Finds the first window that ends at this time or later. */
static size_t first_until(const struct time_windows *windows, uint64_t time_ns)
{
	size_t begin = vec_count_first(&windows->rows, window, window->end_ns < time_ns);
	return begin;
}

uint64_t time_windows_part(const struct time_windows *windows, uint64_t from_ns, uint64_t until_ns)
{
	uint64_t part_ns = 0;

	if (!windows || !windows->is_limited)
		return until_ns - from_ns;
	for (size_t i = first_until(windows, from_ns); i < windows->rows.count; i++) {
		struct time_window window = windows->rows.at[i];

		if (window.begin_ns >= until_ns)
			break;
		if (window.begin_ns < from_ns)
			window.begin_ns = from_ns;
		if (window.end_ns > until_ns)
			window.end_ns = until_ns;
		part_ns += window.end_ns - window.begin_ns;
	}
	return part_ns;
}

uint64_t time_windows_next(const struct time_windows *windows, uint64_t *from_ns, uint64_t most_ns)
{
	if (!windows || !windows->is_limited)
		return most_ns;
	for (size_t i = first_until(windows, *from_ns); i < windows->rows.count; i++) {
		const struct time_window *window = &windows->rows.at[i];
		uint64_t begin_ns = window->begin_ns > *from_ns ? window->begin_ns : *from_ns;

		if (window->end_ns <= begin_ns)
			continue;
		*from_ns = begin_ns;
		return window->end_ns - begin_ns < most_ns ? window->end_ns - begin_ns : most_ns;
	}
	return 0;
}

bool time_windows_has(const struct time_windows *windows, uint64_t time_ns)
{
	size_t i;

	if (!windows || !windows->is_limited)
		return true;
	i = first_until(windows, time_ns);
	return i < windows->rows.count && windows->rows.at[i].begin_ns <= time_ns;
}

uint64_t time_windows_nearest(const struct time_windows *windows, uint64_t time_ns)
{
	size_t count = windows ? windows->rows.count : 0;

	if (!count)
		return time_ns;
	if (time_ns < windows->rows.at[0].begin_ns)
		return windows->rows.at[0].begin_ns;
	if (time_ns > windows->rows.at[count - 1].end_ns)
		return windows->rows.at[count - 1].end_ns;
	return time_ns;
}
