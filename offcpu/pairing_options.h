/* SPDX-License-Identifier: MIT */
/*
 * What of the time between events is asked for:
 *
 *     left in state D     a wait, if --state has no other letters
 *     left in state R     could have gone on: with --preempted, above that mark
 */
#ifndef OFFCPU_PAIRING_OPTIONS_H
#define OFFCPU_PAIRING_OPTIONS_H

#include "base/error.h"
#include "profile/interval.h"
#include "process/task_state.h"

/* What to do with what had not ended when the capture did: count it until then, or leave it out. */
enum pairing_open {
	PAIRING_OPEN_AUTO, /* count it where it is measured how much of it is in a window */
	PAIRING_OPEN_EXCLUDE,
	PAIRING_OPEN_INCLUDE,
};

struct pairing_options {
	const char *span;   /* "BEGIN,END"; NULL: time off the processor */
	const char *key;    /* "tid,FIELD"; NULL: tid */
	const char *states; /* "D,S": only of these; NULL: of all that are waits */
	bool has_preempted; /* also what was made to leave, marked */
	bool has_run_queue; /* waits for a processor, marked, apart from those for anything else */
	bool has_wakers;    /* stacks go on with that of who ended the wait */
	bool has_waker_chain; /* and with those of who had woken that one meanwhile */
	enum pairing_open open;
	bool is_wall;       /* also the time threads ran, by the samples of where they did */
	bool reads_records; /* what perf record --switch-events recorded will do for switches */
	bool is_forced;     /* though not all events were recorded */
	bool groups_by_duration; /* intervals are counted, and told apart by how long they took */
	uint64_t shortest_ns, longest_ns; /* of intervals that count; 0: no limit */
	uint64_t sum_unit_ns; /* of sums that do not say what they are of; 0: it is guessed */
};

/* Whether they go together; the error says what does not. */
bool pairing_options_check(const struct pairing_options *options, struct error *err) WARN_UNUSED;

/* Whether wake-ups are needed for it. */
bool pairing_options_want_wakes(const struct pairing_options *options);

/* Whether intervals that begin so are asked for, and what they are. */
bool pairing_options_want(const struct pairing_options *options, struct task_state state,
			  enum interval_mark *mark_ret);

#endif
