/* SPDX-License-Identifier: MIT */
/*
 * Writes run times and scheduling delays (offcpu/task_stats.h) as a table:
 *
 *     # 4.55 s of scheduling; a delay is the time from when a thread becomes runnable until it runs
 *     #   run    CPU  runs  ...  delays  total  mean  p50  p99  max  max at  ...  comm  tid  pid
 */
#ifndef RENDER_TEXT_TASK_TABLE_H
#define RENDER_TEXT_TASK_TABLE_H

#include "histogram/histogram_set.h"
#include "offcpu/task_stats.h"
#include "profile/profile.h"
#include "render/table/table.h"

enum task_order {
	TASK_ORDER_RUN, /* CPUs: by number */
	TASK_ORDER_DELAY,
	TASK_ORDER_MAX,
	TASK_ORDER_RUNS,
};

struct task_table_options {
	enum table_format format;
	enum task_order order;
	uint64_t limit;  /* of rows; 0 means all */
	bool names_rows; /* for limits (--fail-if): name the rows, and add their sum */
};

/* The caller frees the table, which is valid as long as the profile is. */
void task_table_make(const struct task_stats *stats, const struct profile *profile,
		     const struct task_table_options *options, struct table *ret);

void task_table_write(const struct task_stats *stats, const struct profile *profile,
		      const struct task_table_options *options, struct sink *sink);

/*
 * Makes the distributions of all delays, and of the delays of each row. The distributions can
 * outlive the capture.
 */
void task_table_make_histograms(const struct task_stats *stats, const struct profile *profile,
				struct histogram_set *ret);

#endif
