/* SPDX-License-Identifier: MIT */
/*
 * Writes latencies as a table: count, mean and percentiles for each stack, or for each group of
 * stacks. In the profile, the leaf frame of each stack is a duration in nanoseconds, and the weight
 * is the number of times that this duration occurred. The rows for all stacks together come first.
 * Delays on the run queue have their own rows. If the profile has individual intervals, the maximum
 * is exact, with its time and thread.
 *
 *     all ─ app ─ main ─ read ─ 5200   3 times       app;main;read   count 4, p50 5.20 µs, max 1.23 ms
 *                             └ @17       once: single interval 17 took 1230000
 */
#ifndef RENDER_TEXT_LATENCY_H
#define RENDER_TEXT_LATENCY_H

#include "base/sink.h"
#include "profile/profile.h"
#include "render/table/table.h"

struct latency_options {
	const char *row_name; /* the kind of rows: "stack" */
	uint32_t level_count; /* group by this many frames from the root; 0 means whole stacks */
	enum table_format format;
	bool has_windows; /* list only durations that overlap --time */
	uint64_t limit;   /* maximum number of rows; 0 means all */
	bool names_rows;  /* for limits (--fail-if): name rows, and add a totals row */
};

/*
 * Makes the table by total time, largest first. The caller frees the table, which is valid as long
 * as the profile is.
 */
void latency_make(const struct profile *profile, const struct latency_options *options,
		  struct table *ret);

/* Writes the window of an interval as --time accepts it: "5669.62,5669.699999999". */
void latency_write_window(struct sink *sink, const struct single_interval *single);

/* Writes the table. JSON has the frames of a row as a list. */
void latency_write(const struct profile *profile, const struct latency_options *options,
		   struct sink *sink);

#endif
