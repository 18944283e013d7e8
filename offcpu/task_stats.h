/* SPDX-License-Identifier: MIT */
/*
 * Adds up run times and scheduling delays, from the intervals of threads (offcpu/schedule.h):
 *
 *     thread 12   running 9 ms ─ blocked ─ runnable 2 ms ─ running 3 ms ─ preempted 1 ms ─ running ...
 *     row         run time 12 ms in 2 runs; 2 delays: mean 1.5 ms, longest 2 ms
 *
 * A delay begins when a thread becomes runnable or is preempted, and ends when the thread runs.
 * Rows are threads, names, CPUs, or pairs of names.
 */
#ifndef OFFCPU_TASK_STATS_H
#define OFFCPU_TASK_STATS_H

#include "base/idtable.h"
#include "base/strings.h"
#include "offcpu/schedule.h"
#include "offcpu/thread_table.h"
#include "profile/selection/time_windows.h"

enum task_by {
	TASK_BY_THREAD,
	TASK_BY_COMM,
	TASK_BY_PROCESS,
	TASK_BY_CPU,
	TASK_BY_PREEMPTION, /* pairs: the preempted thread, and the thread that preempted it */
	TASK_BY_WAKER,      /* pairs: the woken thread, and its waker */
};

/* Sentinel: not known, or not used. */
#define TASK_NONE UINT32_MAX
/*
 * Wakers that are not threads. A softirq does not necessarily act for the thread that it
 * interrupts.
 */
#define TASK_INTERRUPT (UINT32_MAX - 1)
#define TASK_SOFTIRQ   (UINT32_MAX - 2)

/* A thread. Index 0 is the idle task. */
struct task_thread {
	uint32_t tid, pid;
	str_id comm, process; /* process: comm of the process's first thread */
	bool is_selected;
	/* While intervals are added: */
	uint32_t last_cpu;  /* TASK_NONE if it has not run yet */
	uint32_t waker;     /* index of the thread that ended its last wait, or a sentinel */
	uint32_t preemptor; /* index of the last thread that preempted it; TASK_NONE if unknown */
	/* the row of the thread, if rows are threads, comms or processes; or TASK_NONE */
	uint32_t row;
	bool has_exited;
};

struct task_row {
	uint32_t key, other; /* by task_by: index of a thread, str_id, pid or CPU; other: str_id */
	uint64_t run_ns, run_count, longest_run_ns;
	uint64_t blocked_ns, unknown_ns;
	uint64_t delay_ns, longest_delay_ns, longest_delay_at_ns;
	VEC(uint64_t) delays_ns; /* after task_stats_finish: ascending */
	uint64_t preempted_count, migration_count;
};

struct task_stats {
	enum task_by by;
	struct schedule_part part;          /* the threads that are counted */
	const struct time_windows *windows; /* NULL means the whole capture */
	const selection_ranges *cpus;       /* CPUs that count; empty: all */
	VEC(struct task_thread) threads;    /* by index in the table of threads */
	struct thread_table thread_table; /* for a worker: only of threads that are not numbered */
	uint32_t numbered_count;          /* for a worker: lower tids are indexes of threads */
	VEC(struct task_row) rows;        /* after task_stats_finish: by run time, then by delay */
	struct idtable row_table;
	uint64_t first_ns, last_ns; /* of the windows */
	uint64_t missing_count;     /* switches that were not recorded */
	uint64_t open_delay_count;  /* delays that had not ended at the end of the capture */
	uint64_t reused_count; /* selected TIDs that a new thread got after the old one exited */
};

void task_stats_init(struct task_stats *stats, enum task_by by);
void task_stats_deinit(struct task_stats *stats);

/*
 * Makes empty statistics with the same threads, for a worker that counts a part of them. The tids
 * in the worker's events and intervals are indexes of these threads.
 */
void task_stats_init_part(struct task_stats *part, const struct task_stats *of,
			  struct schedule_part which);

/* Adds what a worker has counted, and releases its statistics. */
void task_stats_add_part(struct task_stats *stats, struct task_stats *part);

/* Removes all events and intervals that were added, but keeps the threads. */
void task_stats_clear(struct task_stats *stats);

/* Returns the index of a thread that is not numbered; adds it if it is new. */
uint32_t task_stats_look_up(struct task_stats *stats, uint32_t tid);

/* Returns the index of the thread with this tid; adds it if it is new. */
static inline uint32_t task_stats_thread(struct task_stats *stats, uint32_t tid)
{
	return tid < stats->numbered_count ? tid : task_stats_look_up(stats, tid);
}

/* Finds which thread preempts which. Must be called for each event before schedule_add. */
void task_stats_on_event(struct task_stats *stats, const struct schedule_event *event);

/* The on_interval of a schedule_sink whose context is the struct task_stats. */
void task_stats_on_interval(void *context, const struct schedule_interval *interval);

/* Sorts rows and delays. */
void task_stats_finish(struct task_stats *stats, unsigned thread_count);

/*
 * The quantile of a row's delays: the shortest delay x such that at least this share of the delays
 * is at most x. Returns 0 if the row has no delays.
 */
uint64_t task_row_quantile(const struct task_row *row, double share);

#endif
