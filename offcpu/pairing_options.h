/* SPDX-License-Identifier: MIT */
/*
 * Which intervals are shown:
 *
 *     switched out in state D     blocked; shown unless --state excludes D
 *     switched out in state R     preempted; shown with --preempted, with a leaf frame [preempted]
 */
#ifndef OFFCPU_PAIRING_OPTIONS_H
#define OFFCPU_PAIRING_OPTIONS_H

#include "base/error.h"
#include "base/strings.h"
#include "libparse/tracepoint/task_state.h"
#include "profile/grouping.h"
#include "profile/interval.h"

/* How to treat intervals that are open at the end of the capture. */
enum pairing_open {
	PAIRING_OPEN_AUTO, /* count them until the end if windows are selected, else ignore them */
	PAIRING_OPEN_EXCLUDE,
	PAIRING_OPEN_INCLUDE,
};

struct pairing_options {
	const char *span;     /* "BEGIN,END"; NULL means off-CPU time */
	const char *key;      /* "tid,FIELD"; NULL means "tid" */
	const char *states;   /* "D,S": only these; NULL means all except R */
	bool has_preempted;   /* also preempted threads, with a mark */
	bool has_run_queue;   /* time on the run queue, with a mark, separate from blocked time */
	bool has_wakers;      /* append the waker's stack */
	bool has_waker_chain; /* also append the stacks of the waker's own wakers */
	bool is_critical;     /* divide waits among the stacks and waits of their wakers */
	enum pairing_open open;
	bool is_wall;            /* also on-CPU time, divided among on-CPU samples */
	bool has_single_runs;    /* with is_wall: keep each unsampled run, not only the sum */
	bool reads_records;      /* use switch records (--switch-events) if necessary */
	bool is_forced;          /* accept captures that lack events */
	bool groups_by_duration; /* intervals are counted, grouped by duration */
	/* with groups_by_duration: the longest interval of each stack is listed individually */
	bool has_singles;
	/* with has_singles: also list this many of the longest intervals of all */
	uint64_t list_max;
	bool prefers_wakers;              /* like has_wakers, but only if wake-ups were recorded */
	uint64_t shortest_ns, longest_ns; /* 0 means no limit */
	/*
	 * unit of pre-aggregated waits if the input does not state one; if 0, the usual unit is
	 * assumed
	 */
	uint64_t sum_unit_ns;
};

/* Fails if options contradict each other. */
bool pairing_options_check(const struct pairing_options *options, struct error *err) WARN_UNUSED;

/* Whether wake-ups are required. */
bool pairing_options_want_wakes(const struct pairing_options *options);

/*
 * Whether to show intervals of threads that were switched out in this state. Sets the mark to show
 * with them.
 */
bool pairing_options_want(const struct pairing_options *options, struct task_state state,
			  enum interval_mark *mark_ret);

#define PAIRING_KEY_FIELDS_MAX 4

/*
 * The --key of --span: fields that must be equal at the beginning and end of an interval. The
 * thread must also be the same, unless "global" is in the list.
 *
 *     --key id                     same thread and same id
 *     --key global,dev,sector      any thread; an interrupt may complete a request, too
 */
struct pairing_key {
	struct text fields[PAIRING_KEY_FIELDS_MAX]; /* borrowed */
	uint32_t field_count;
	uint32_t tid_level; /* number of fields before tid */
	bool names_tid;
	bool is_global; /* begin and end may be in different threads */
};

/* Parses "tid,FIELD"; NULL is "tid". */
bool pairing_key_parse(const char *text, struct pairing_key *ret, struct error *err) WARN_UNUSED;

/* Makes a grouping by the fields of a key. */
bool pairing_key_group(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

#endif
