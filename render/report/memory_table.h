/* SPDX-License-Identifier: MIT */
/*
 * Makes a table of memory accesses, with their latencies and data sources:
 *
 *     share   samples  p50  p99  L1       RAM     function
 *     61.20%  410      12   310  80.10%   9.30%   parse
 *
 * or, by cache line, how often another core had the line, and which threads use it.
 */
#ifndef RENDER_REPORT_MEMORY_TABLE_H
#define RENDER_REPORT_MEMORY_TABLE_H

#include "annotate/memory_stats.h"
#include "profile/frame_name.h"
#include "profile/profile.h"
#include "render/table/table.h"

/* Parses the value of --mem; "" is level. */
bool memory_by_parse(const char *name, enum memory_by *ret, struct error *err) WARN_UNUSED;

struct memory_table_options {
	enum table_format format;
	const struct frame_naming *naming;
	double least_percent; /* omit rows with a smaller share */
	uint64_t limit;       /* maximum number of rows; 0 means all */
	bool names_rows;      /* for limits (--fail-if): name the rows, and add their sum */
};

/*
 * The profile must contain the strings and modules of locations (code) and data. The caller frees
 * the table, which is valid as long as stats are.
 */
void memory_table_make(const struct memory_stats *stats, const struct profile *profile,
		       const struct locations *locations, const struct locations *data,
		       const struct memory_table_options *options, struct table *ret);

#endif
