/* SPDX-License-Identifier: MIT */
/*
 * Which samples count, and which of their frames: one implementation for every command, in perf's
 * own terms. What can be asked of a sample as it is read (thread, processor, time) is asked before
 * its chain is looked at; what is asked of names comes when there are names:
 *
 *     sample ─ selection_takes ─▶ chain ─ selection_takes_mode ─▶ frames ─ dso, symbol ─▶ stack
 */
#ifndef PROFILE_SELECTION_H
#define PROFILE_SELECTION_H

#include "base/error.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "profile/location.h"
#include "profile/profile.h"

struct selection_range {
	uint64_t first, last; /* both included */
};

typedef VEC(struct selection_range) selection_ranges;
typedef VEC(struct text) selection_names;

/* An empty list takes everything, and so does a selection that is NULL. */
struct selection {
	selection_names comms;
	selection_ranges pids, tids, cpus;
	selection_ranges times_ns;
	selection_ranges time_shares;  /* to be placed first: profile/selection_time.h */
	selection_names dsos, symbols; /* of the innermost frame, as perf script has it */
	bool user_only, kernel_only;   /* leave out the frames of the other */
	bool no_idle;                  /* leave out the idle task */
	uint32_t depth_max;            /* frames from the root; 0: all */
	/* Stacks begin with the outermost of these frames, and without one do not count. */
	selection_names bases;
};

void selection_deinit(struct selection *selection);

/* Parse what perf's options take: "a,b", "0-3,7". The text is borrowed. option is named in the error. */
void selection_parse_names(const char *text, selection_names *ret);
bool selection_parse_numbers(const char *option, const char *text, selection_ranges *ret,
			     struct error *err) WARN_UNUSED;

/* Whether everything is taken. */
bool selection_is_empty(const struct selection *selection);

/* Whether it asks for shares of the time of a capture, which are known when that was read once. */
bool selection_has_shares(const struct selection *selection);

/* Whether what is taken of a sample depends on its frames. */
bool selection_asks_of_frames(const struct selection *selection);

bool selection_has_name(const selection_names *names, struct text name);
bool selection_has_number(const selection_ranges *ranges, uint64_t number);

/* Whether frames that ran in this mode are kept. */
bool selection_takes_mode(const struct selection *selection, enum cpu_mode mode);

/* Whether a sample counts whose innermost frame is at this place, by its file and its name; one that
 * has no frame left, LOCATION_NONE, because only some were asked for does not. */
bool selection_takes_leaf(const struct selection *selection, const struct profile *profile,
			  const struct locations *locations, location_id leaf);

/* Whether the sample counts, as far as it can be told without names; comm is its thread's. */
bool selection_takes(const struct selection *selection, const struct event *event,
		     struct text comm);

#endif
