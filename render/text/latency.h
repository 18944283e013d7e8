/* SPDX-License-Identifier: MIT */
/*
 * How long things took, as a table: count, mean and percentiles for each stack, or for each of what
 * stacks stand on. The profile's stacks end in frames whose names are lengths in nanoseconds, and
 * weigh how often they took so long. Rows of all stacks together come first; delays on the run queue
 * have rows of their own:
 *
 *     all ─ app ─ main ─ read ─ 5200   3 times       app;main;read   count 4, p50 5.20 µs, max 1.23 ms
 *                             └ 1230000   once
 */
#ifndef RENDER_TEXT_LATENCY_H
#define RENDER_TEXT_LATENCY_H

#include "base/sink.h"
#include "profile/profile.h"

struct latency_options {
	const char *row_name; /* of what there is a row: "stack" */
	uint32_t level_count; /* rows are of so many frames from the root up; 0: of whole stacks */
	bool is_json;
	bool has_windows; /* only what has a part in windows of time is listed */
	uint64_t limit;   /* rows at most; 0: all */
};

/* Writes the table, what took the longest time together first. */
void latency_write(const struct profile *profile, const struct latency_options *options,
		   struct sink *sink);

#endif
