/* SPDX-License-Identifier: MIT */
/*
 * Writes system calls (syscalls/syscall_stats.h) as a table:
 *
 *     # 8,120 system calls of 3 threads in 1.02 s; 2.10 s in calls
 *     # calls  errors  total  mean  p50  p99  max  max at  syscall
 */
#ifndef RENDER_TEXT_SYSCALL_TABLE_H
#define RENDER_TEXT_SYSCALL_TABLE_H

#include "histogram/histogram_set.h"
#include "profile/profile.h"
#include "render/table/table.h"
#include "syscalls/syscall_stats.h"

enum syscall_order {
	SYSCALL_ORDER_TOTAL,
	SYSCALL_ORDER_CALLS,
	SYSCALL_ORDER_ERRORS,
	SYSCALL_ORDER_MEAN,
	SYSCALL_ORDER_P99,
	SYSCALL_ORDER_MAX,
};

struct syscall_table_options {
	enum table_format format;
	enum syscall_order order;
	uint64_t limit;  /* of rows; 0 means all */
	bool names_rows; /* for limits (--fail-if): name the rows, and add their sum */
};

/* The caller frees the table, which is valid as long as the profile is. */
void syscall_table_make(const struct syscall_stats *stats, const struct profile *profile,
			const struct syscall_table_options *options, struct table *ret);

void syscall_table_write(const struct syscall_stats *stats, const struct profile *profile,
			 const struct syscall_table_options *options, struct sink *sink);

/*
 * Makes the distributions of the durations of all calls, and of each row. The distributions can
 * outlive the capture.
 */
void syscall_table_make_histograms(const struct syscall_stats *stats, const struct profile *profile,
				   struct histogram_set *ret);

#endif
