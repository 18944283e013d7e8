/* SPDX-License-Identifier: MIT */
/*
 * Adds up the intervals of threads on several workers. Each worker reads all rows, because the
 * switches on a CPU show which threads have left it, but counts only its own threads:
 *
 *     rows        12 -> 40   40 -> 12   40 wakes 7   12 -> 7
 *     worker 0    12         12                      12           rows of thread 12
 *     worker 1         40    40         40      7         7       rows of threads 7 and 40
 */
#ifndef OFFCPU_TASK_WORKERS_H
#define OFFCPU_TASK_WORKERS_H

#include "offcpu/pairing_rows.h"
#include "offcpu/task_stats.h"

/* Adds the threads of all rows to stats, in the order of their first row. */
void task_workers_add_threads(const pairing_row_list *rows, unsigned thread_count,
			      struct task_stats *stats);

/*
 * The number of workers of task_workers_run. Each has a copy of all threads, so there are fewer
 * workers if there are many threads: the copies of all workers are at most as many as the rows.
 */
uint32_t task_workers_count(const pairing_row_list *rows, unsigned thread_count,
			    const struct task_stats *stats);

/*
 * Adds all rows, which are in time order, to stats, whose threads must already be named. If few
 * switches are missing, infers the states around them. Sets stats->missing_count.
 */
void task_workers_run(const pairing_row_list *rows, unsigned thread_count,
		      struct task_stats *stats);

#endif
