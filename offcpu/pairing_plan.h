/* SPDX-License-Identifier: MIT */
/*
 * Plans which events of a capture begin and end intervals, and which fields identify the thread.
 * Intervals are either off-CPU time:
 *
 *     sched:sched_switch   prev_pid is switched out in prev_state; next_pid is switched in
 *     sched:sched_waking   pid becomes runnable (also sched_wakeup, sched_wakeup_new)
 *
 * or the time between any two events of the same thread, or with equal fields:
 *
 *     --span block:block_rq_issue,block:block_rq_complete --key global,dev,sector
 */
#ifndef OFFCPU_PAIRING_PLAN_H
#define OFFCPU_PAIRING_PLAN_H

#include "offcpu/pairing_filter.h"
#include "offcpu/pairing_options.h"
#include "profile/profile.h"
#include "profile/selection/time_windows.h"

enum pairing_role {
	PAIRING_NONE,
	PAIRING_SWITCH,
	PAIRING_WAKE,
	PAIRING_BEGIN,
	PAIRING_END,
	PAIRING_SAMPLE,     /* on-CPU sample */
	PAIRING_SWITCH_OUT, /* one side of a switch, from a switch record */
	PAIRING_SWITCH_IN,
	PAIRING_EXIT,       /* the thread begins to exit */
	PAIRING_EXEC,       /* the thread called exec */
	PAIRING_DISK_ISSUE, /* a disk request; only for --critical */
	PAIRING_DISK_COMPLETE,
};

/* The meaning of the samples of one event. */
struct pairing_event {
	enum pairing_role role;
	struct field previous, next, state; /* for switches; `next` also for wake-ups */
	struct field flags; /* for wake-ups: the interrupt context; size is 0 if unknown */
	struct field device, sector, sector_count; /* for disk requests */
	struct task_states states;
	bool is_clock; /* samples CPU time or cycles */
	bool is_keyed_by_tid;
	uint32_t key_count;
	struct field keys[PAIRING_KEY_FIELDS_MAX];
};

struct pairing_plan {
	struct pairing_options options;
	const struct time_windows *windows; /* intervals are clipped to these; NULL if none */
	struct pairing_filter filter;       /* of the threads that are counted */
	unsigned thread_count;              /* that pair rows; 0 means 1 */
	struct pairing_event *events;       /* by event of the profile */
	size_t event_count;
	/* the event whose samples have the stacks; empty: the thread's last sample has the stack */
	str_id begin_event;
	uint32_t id_count;    /* sum over the events called begin_event; see struct profile_event */
	bool uses_records;    /* there are switch records, but no samples of switches */
	bool ends_in_records; /* per-thread captures: switch-ins are records, switch-outs samples */
	/* field offsets are assumed, because the capture does not describe them */
	bool is_guessed;
	bool describes_threads; /* texts: wake-ups and the names of threads are read, too */
	bool is_sampled; /* not every event was recorded, but --allow-missing-switches was given */
};

/*
 * Whether a capture has no switches, but has times that perf record --off-cpu measured. Such times
 * need no pairing.
 */
bool pairing_is_measured(const struct profile *profile, const struct pairing_options *options);

/* The event of perf record --off-cpu. */
#define PAIRING_MEASURED_EVENT "offcpu-time"

/* Whether a perf.data file has switches, as samples or as records. */
bool pairing_has_switches(const struct profile *profile);

/*
 * Makes the plan for a capture. If the capture lacks events, fails with an error that explains how
 * to record them.
 */
bool pairing_plan_make(const struct profile *profile, const struct pairing_options *options,
		       struct pairing_plan *ret, struct error *err) WARN_UNUSED;

/* Like pairing_plan_make, for a text capture: its reader marks the samples that are switches. */
bool pairing_plan_make_text(const struct pairing_options *options, struct pairing_plan *ret,
			    struct error *err) WARN_UNUSED;
void pairing_plan_free(struct pairing_plan *plan);

#endif
