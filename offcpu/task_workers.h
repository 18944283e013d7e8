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

/* How much there is to count for a thread. */
struct task_load {
	uint32_t switch_count; /* of switches from it */
	uint16_t cpu;          /* of its first row, as in rows */
};

/* Some of the rows. */
struct task_part {
	size_t begin, end;
	struct thread_table numbers; /* the tids in these rows are indexes of this table */
	VEC(struct task_load) loads; /* by number */
	uint32_t *indexes;           /* indexes of these threads in the statistics */
};

struct task_workers {
	pairing_row_list *rows; /* in time order; borrowed */
	unsigned thread_count;
	struct task_stats *stats; /* borrowed */
	VEC(struct task_part) parts;
	VEC(struct task_load) loads; /* by index of a thread */
	uint64_t switch_count;       /* of all threads */
	uint32_t
		unknown; /* index of the thread EVENT_NO_TID in the statistics, or THREAD_TABLE_NONE */
};

/*
 * Adds the threads of all rows to stats, in the order of their first row. Replaces the tids in rows
 * by numbers, so that workers need not look up threads again.
 */
void task_workers_init(struct task_workers *workers, pairing_row_list *rows, unsigned thread_count,
		       struct task_stats *stats);
void task_workers_deinit(struct task_workers *workers);

/*
 * The number of workers of task_workers_run. Each has a copy of all threads, so there are fewer
 * workers if there are many threads: the copies of all workers are at most as many as the rows.
 */
uint32_t task_workers_count(const pairing_row_list *rows, unsigned thread_count,
			    const struct task_stats *stats);

/*
 * Adds all rows to the statistics, whose threads must already be named. If few switches are
 * missing, infers the states around them. Sets stats->missing_count.
 */
void task_workers_run(struct task_workers *workers);

#endif
