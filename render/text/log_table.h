/* SPDX-License-Identifier: MIT */
/*
 * Writes the events of a log (eventlog/log_stats.h) as a table: a row for each group of events, or
 * for each of the events with the largest values.
 *
 *     # 1,204 events in 10.0 s; total of LAT(ms): 812 ms
 *     # events  total  mean  p50  p99  max  max at  COMM
 */
#ifndef RENDER_TEXT_LOG_TABLE_H
#define RENDER_TEXT_LOG_TABLE_H

#include "eventlog/log_stats.h"
#include "histogram/histogram_set.h"
#include "render/table/table.h"

enum log_order {
	LOG_ORDER_TOTAL,
	LOG_ORDER_EVENTS,
	LOG_ORDER_MEAN,
	LOG_ORDER_P99,
	LOG_ORDER_MAX,
};

struct log_table_options {
	enum table_format format;
	enum log_order order;
	uint64_t limit;  /* of rows; 0 means all */
	bool shows_top;  /* individual events */
	bool names_rows; /* for limits (--fail-if): name the rows, and add their sum */
};

/* The caller frees the table, which is valid as long as stats are. */
void log_table_make(const struct log_stats *stats, const struct log_table_options *options,
		    struct table *ret);

void log_table_write(const struct log_stats *stats, const struct log_table_options *options,
		     struct sink *sink);

/* Makes the distributions of all values, and of each row. The distributions can outlive the log. */
void log_table_make_histograms(const struct log_stats *stats, struct histogram_set *ret);

/*
 * Writes how the values of all events, and of each group, are distributed. limit: maximum number of
 * groups.
 */
void log_table_write_distribution(const struct log_stats *stats, bool is_json, uint64_t limit,
				  struct sink *sink);

#endif
