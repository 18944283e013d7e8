/* SPDX-License-Identifier: MIT */
/*
 * Makes a heat map of the values in an event log. Columns are times, rows are ranges of values, and
 * a cell counts the events whose value is in the range:
 *
 *     4.7 ms to 10 ms   | .        #
 *     2.2 ms to 4.7 ms  | .  .  :  #
 *     1 ms to 2.2 ms    | #  #  #  #
 *                        12 13 14 15  s
 *
 * Each power of ten has 12, 6, 3 or 1 rows, depending on how many fit. If the largest value is less
 * than ten times the smallest, all rows have the same width.
 */
#ifndef TIMELINE_LOG_MAP_H
#define TIMELINE_LOG_MAP_H

#include "eventlog/log_stats.h"
#include "timeline/heat_map.h"

/*
 * Maximum number of rows in a heat map of a log. An SVG with more rows would not fit on a screen.
 */
#define LIMIT_LOG_MAP_ROWS 40u

struct log_map_options {
	uint64_t bin_ns; /* if 0, it depends on the duration of the log */
	/* At least 2. Bins are widened until there are at most this many columns. */
	uint64_t column_max;
};

/*
 * Makes a heat map of stats->points. Fails if there are no points. The caller must free the map
 * even after a failure.
 */
bool log_map_make(struct heat_map *map, const struct log_stats *stats,
		  const struct log_map_options *options, struct error *err) WARN_UNUSED;

#endif
