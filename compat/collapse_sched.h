/* SPDX-License-Identifier: MIT */
/*
 * Text of perf script of switches between threads and of how long threads slept, collapsed by the rules of
 * stackcollapse-perf-sched.awk: for the drop-in, which writes what that would write.
 *
 *     app 7 [0] 1.5: sched:sched_switch: ... prev_pid=7 ...      where 7 went to sleep
 *     waker 9 [0] 1.9: sched:sched_stat_sleep: comm=app pid=7 delay=400000000 [ns]
 *
 *     app;main;wait 400000
 *
 * kiln offcpu pairs the switches themselves: libparse/script/switch_text.h.
 */
#ifndef COMPAT_COLLAPSE_SCHED_H
#define COMPAT_COLLAPSE_SCHED_H

#include "base/sink.h"
#include "compat/input_lines.h"

/* The variables of the script. */
struct collapse_sched_variables {
	bool with_tid;   /* record_tid */
	bool with_waker; /* record_wake_stack */
	bool with_chain; /* recurse: the waker's waker, and so on; with_waker as well */
};

struct collapse_sched_task {
	bool has_stack; /* where it went to sleep, until that is told */
	bool was_woken;
	str_id stack;
	str_id chain; /* what was told of it last, with all wakers */
};

/* What a line of an event began: lines of frames follow, up to an empty one. */
struct collapse_sched_event {
	bool is_open;
	uint32_t task; /* who goes to sleep, or slept */
	struct sink stack;
	/* Of sleeps. */
	struct sink comm, waker_comm, waker;
	bool is_timed;
	uint64_t delay_ns;
};

struct collapse_sched {
	struct collapse_sched_variables variables; /* may change between inputs */
	struct input_lines lines;
	struct collapse_sched_event switched, slept;
	struct strings task_names;
	VEC(struct collapse_sched_task) tasks; /* by id of their names */
	struct strings texts;                  /* of tasks' stacks */
	struct strings stacks;                 /* as they are written */
	VEC(uint64_t) times_ns;                /* by id of stacks */
	struct sink line;
	uint64_t cut_count; /* chains that would have grown too long */
};

void collapse_sched_init(struct collapse_sched *collapse);
void collapse_sched_deinit(struct collapse_sched *collapse);

/* Reads a file behind those before it; "-" is standard input. */
bool collapse_sched_read(struct collapse_sched *collapse, const char *path,
			 struct error *err) WARN_UNUSED;

/* Writes all stacks, sorted, with the microseconds spent in each where there is one at least. */
void collapse_sched_write(const struct collapse_sched *collapse, struct sink *sink);

#endif
