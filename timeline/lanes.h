/* SPDX-License-Identifier: MIT */
/*
 * Lanes show what threads or CPUs did over time. Intervals become columns of equal width. An
 * interval that is at least as long as a column is kept unchanged; shorter intervals are added up
 * by column and kind, with exact sums:
 *
 *     column       0         1         2         3         4
 *     intervals    |rrrrrrrrr|rrrbbbbbb|bbbbbbrbr|rbrbrbrbr|
 *     spans         r 0 to 1.3, b 1.3 to 2.6
 *     cells                                 r b   r   b
 *
 * Memory use therefore depends on the number of lanes and columns, not on the number of intervals.
 * Intervals are added twice: first to find the threads with the largest weight and the kinds with
 * the largest sums, then to fill the lanes:
 *
 *     lanes_survey ... ─▶ lanes_plan ─▶ lanes_add ... ─▶ lanes_finish
 *
 * The weight of a thread is the time that it ran, waited for a CPU, or was blocked in
 * uninterruptible sleep. All other threads share one lane, which has no spans.
 */
#ifndef TIMELINE_LANES_H
#define TIMELINE_LANES_H

#include "base/strings.h"
#include "offcpu/schedule.h"
#include "profile/selection/time_windows.h"

enum lanes_by {
	LANES_BY_THREAD,
	LANES_BY_CPU, /* running threads only, labelled by comm */
};

struct lanes_options {
	enum lanes_by by;
	uint32_t lane_max;
	uint32_t column_max;
	const struct time_windows *windows; /* intervals are clipped to these; NULL if none */
};

/*
 * The maximum number of kinds with their own colour. All other kinds of a state share an additional
 * kind.
 */
#define LANES_RUNNING_KINDS 8u
#define LANES_BLOCKED_KINDS 10u

/* A kind of interval, as in the legend. Kinds are sorted by state, then by sum. */
struct lane_kind {
	enum schedule_state state;
	uint32_t label;       /* function, comm or reason in lanes.names; or SCHEDULE_LABEL_NONE */
	char task_state;      /* for blocked threads without a reason; else 0 */
	uint32_t other_count; /* not 0: the number of kinds that share this row */
	uint64_t total_ns, count;
};

/* A long interval. */
struct lane_span {
	uint64_t from_ns, to_ns;
	uint32_t tid, waker_tid;
	uint16_t kind;
	enum schedule_waker waker;
	bool is_open;
};

/* Short intervals of one kind, or parts of them. */
struct lane_cell {
	uint32_t column;
	uint16_t kind;
	uint64_t total_ns, count; /* an interval counts in the column in which it begins */
	/* until lanes_finish: change of the number of covering intervals, from this column on */
	int64_t covering;
};

struct lane_sum {
	uint64_t total_ns, count, longest_ns;
};

struct lane {
	uint32_t key;         /* a tid, or a CPU */
	uint32_t other_count; /* not 0: the number of threads or CPUs that share this lane */
	uint64_t weight_ns;
	VEC(struct lane_span) spans; /* in time order */
	VEC(struct lane_cell) cells; /* by column, then by kind */
	struct lane_sum *sums;       /* by kind */
	size_t join_at;              /* merge adjacent equal cells when there are this many cells */
};

struct lane_thread {
	uint32_t tid, pid;
	uint32_t comm; /* in names */
	bool is_selected;
};

struct lane_candidate {
	uint32_t key, lane;
	uint64_t weight_ns;
};

/* The data from which the intervals were made. */
struct lanes_counts {
	bool has_switches; /* false if there are only samples */
	bool has_wakes;
	/* Samples without a known duration are drawn as marks of this duration; 0 if there are none. */
	uint64_t mark_ns;
	uint64_t switch_count, sample_count;
	uint64_t timeless_count; /* events without a time, which are not in a lane */
	uint64_t missing_count;  /* switches that were not recorded */
};

struct lanes {
	struct lanes_options options;
	struct lanes_counts counts;
	struct strings names;
	VEC(struct lane_thread) threads;
	struct idtable thread_table;

	VEC(struct lane_kind) kinds; /* after lanes_plan */
	VEC(struct lane) lanes;      /* after lanes_plan: CPUs by number, threads by weight */
	uint64_t first_ns, last_ns;  /* the time that the lanes show */
	uint64_t column_ns;
	uint32_t column_count;

	/*
	 * Results of lanes_survey: the kinds, before those with small sums are joined, and all
	 * threads or CPUs.
	 */
	VEC(struct lane_kind) all_kinds;
	VEC(uint16_t) kind_of; /* by index in all_kinds */
	struct idtable kind_table, candidate_table;
	VEC(struct lane_candidate) candidates;
};

void lanes_init(struct lanes *lanes, const struct lanes_options *options);
void lanes_deinit(struct lanes *lanes);

/* Returns the thread with this tid; adds it if it is new. Valid until the next call. */
struct lane_thread *lanes_thread(struct lanes *lanes, uint32_t tid);

/* Returns the thread with this tid, or NULL. */
const struct lane_thread *lanes_find_thread(const struct lanes *lanes, uint32_t tid);

/* Returns the label for a text. */
uint32_t lanes_label(struct lanes *lanes, struct text text);

/* One pass over the intervals. Intervals of threads that are not selected are ignored. */
void lanes_survey(struct lanes *lanes, const struct schedule_interval *interval);
void lanes_add(struct lanes *lanes, const struct schedule_interval *interval);

/* Chooses the lanes, kinds and columns for the part of the windows between these times. */
void lanes_plan(struct lanes *lanes, uint64_t first_ns, uint64_t last_ns);
void lanes_finish(struct lanes *lanes);

/* Returns the index of the lane that shows a thread, or UINT32_MAX. */
uint32_t lanes_find(const struct lanes *lanes, uint32_t key);

/* Whether a thread in this state is running or waiting for a CPU. */
static inline bool lane_kind_is_active(const struct lane_kind *kind)
{
	return kind->state == SCHEDULE_RUNNING || kind->state == SCHEDULE_RUNNABLE ||
	       kind->state == SCHEDULE_PREEMPTED;
}

#endif
