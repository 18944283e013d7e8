/* SPDX-License-Identifier: MIT */
/*
 * Which events of a capture begin and end what is to be measured, and the fields of them that tell
 * whom it is about. Either the time threads were off the processor:
 *
 *     sched:sched_switch   prev_pid left, about to be prev_state; next_pid came
 *     sched:sched_waking   pid could run again (also sched_wakeup, sched_wakeup_new)
 *
 * or that between any two events, of the same thread or with the same values of some fields:
 *
 *     --span block:block_rq_issue,block:block_rq_complete --key global,dev,sector
 */
#ifndef OFFCPU_PAIRING_PLAN_H
#define OFFCPU_PAIRING_PLAN_H

#include "offcpu/pairing_key.h"
#include "offcpu/pairing_options.h"
#include "profile/profile.h"
#include "profile/selection/time_windows.h"

enum pairing_role {
	PAIRING_NONE,
	PAIRING_SWITCH,
	PAIRING_WAKE,
	PAIRING_BEGIN,
	PAIRING_END,
	PAIRING_SAMPLE, /* where a thread was */
	PAIRING_LEAVE,  /* one half of a switch, of which there is no sample */
	PAIRING_COME,
};

/* What is read of one event's samples. */
struct pairing_event {
	enum pairing_role role;
	struct field previous, next, state; /* of a switch; next also of a wake-up: whom */
	struct field flags; /* of a wake-up: what was going on; size 0: it is not known */
	struct task_states states;
	bool is_clock; /* of a sample: how often it is taken tells how long a thread ran */
	bool is_keyed_by_tid;
	uint32_t key_count;
	struct field keys[PAIRING_KEY_FIELDS_MAX];
};

struct pairing_plan {
	struct pairing_options options;
	const struct time_windows *windows; /* that what is paired counts in; NULL: at all times */
	struct pairing_event *events;       /* by the profile's events */
	size_t event_count;
	str_id begin_event; /* its samples have the stacks; empty: the last before does */
	uint32_t id_count;  /* of its events together, as in struct profile_event */
	bool uses_records;  /* there are no samples of switches */
	bool ends_in_records; /* samples tell who leaves, records who comes: those of chosen threads */
	bool is_guessed;      /* the capture does not describe its fields */
	bool is_sampled;      /* not every event was recorded, and yet it is to be done */
};

/* Whether a capture has no switches, but what perf record --off-cpu measured in their place. Then
 * there is nothing to pair. */
bool pairing_is_measured(const struct profile *profile, const struct pairing_options *options);

/* The event with these samples. */
#define PAIRING_MEASURED_EVENT "offcpu-time"

/* Makes the plan for a capture. False: it has not what is asked for; the error says what would. */
bool pairing_plan_make(const struct profile *profile, const struct pairing_options *options,
		       struct pairing_plan *ret, struct error *err) WARN_UNUSED;

/* The same for a capture that is text, whose samples say themselves which are switches. */
bool pairing_plan_make_text(const struct pairing_options *options, struct pairing_plan *ret,
			    struct error *err) WARN_UNUSED;
void pairing_plan_free(struct pairing_plan *plan);

#endif
