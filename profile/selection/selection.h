/* SPDX-License-Identifier: MIT */
/*
 * Which samples count, and which of their frames: one implementation for every command, in perf's
 * own terms. What can be asked of a sample as it is read (thread, processor, time) is asked before
 * its chain is looked at; what is asked of names comes when there are names:
 *
 *     sample ─ selection_takes ─▶ chain ─ selection_takes_mode ─▶ frames ─ dso, symbol ─▶ stack
 */
#ifndef PROFILE_SELECTION_SELECTION_H
#define PROFILE_SELECTION_SELECTION_H

#include "base/error.h"
#include "base/name_pattern.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "profile/location.h"
#include "profile/profile.h"

struct selection_range {
	uint64_t first, last; /* both included */
};

typedef VEC(struct selection_range) selection_ranges;

/* Where a time is that is not one of the capture's clock. */
enum selection_time_kind {
	SELECTION_TIME_OPEN,       /* the capture's beginning, or its end */
	SELECTION_TIME_CLOCK,      /* by the capture's clock after all: beside one that is not */
	SELECTION_TIME_FROM_FIRST, /* since the first sample */
	SELECTION_TIME_UTC,        /* since 1970 */
	SELECTION_TIME_OF_DAY,     /* since midnight where the user is */
	SELECTION_TIME_OF_UTC_DAY, /* since midnight of UTC */
};

struct selection_moment {
	enum selection_time_kind kind;
	uint64_t ns;
};

/* Both included. */
struct selection_period {
	struct selection_moment first, last;
};

typedef VEC(struct selection_period) selection_periods;

/* What there is to ask of a sample as it is read, in the order in which an empty answer is explained. */
enum selection_criterion {
	SELECTION_IDLE,
	SELECTION_CPU,
	SELECTION_TIME,
	SELECTION_PID,
	SELECTION_TID,
	SELECTION_PROCESS,
	SELECTION_COMM,
	SELECTION_CRITERIA,
};

/* An empty list takes everything, and so does a selection that is NULL. */
struct selection {
	name_patterns comms;
	name_patterns processes; /* names that processes had, those of their first threads */
	selection_ranges pids, tids, cpus;
	selection_ranges times_ns;
	/* To be placed in the time of a capture first: profile/selection/selection_time.h, session/time_span.h. */
	selection_ranges time_shares;
	selection_periods periods;
	name_patterns dsos, symbols; /* of the innermost frame, as perf script has it */
	bool user_only, kernel_only; /* leave out the frames of the other */
	bool no_idle;                /* leave out the idle task */
	uint32_t depth_max;          /* frames from the root; 0: all */
	uint32_t callchain_max; /* calls from the innermost, inlined ones not counted; 0: all */
	/* Stacks begin with the outermost of these frames, and without one do not count. */
	name_patterns bases;
};

void selection_deinit(struct selection *selection);

/* Parses what perf's options take: "0-3,7". option is named in the error. */
bool selection_parse_numbers(const char *option, const char *text, selection_ranges *ret,
			     struct error *err) WARN_UNUSED;

/* Whether everything is taken; that of NULL is. */
bool selection_is_empty(const struct selection *selection);

/* Whether anything is asked of samples as they are read: threads, CPUs, times. */
bool selection_asks_of_samples(const struct selection *selection);

/* Whether it asks for times that are known only when a capture was read once. */
bool selection_needs_placing(const struct selection *selection);

/* Whether it depends on the innermost frame that a sample is left with whether it counts. */
bool selection_asks_of_leaves(const struct selection *selection);

/* Whether what is taken of a sample depends on its frames. */
bool selection_asks_of_frames(const struct selection *selection);

bool selection_has_number(const selection_ranges *ranges, uint64_t number);

/* Whether frames that ran in this mode are kept. */
bool selection_takes_mode(const struct selection *selection, enum cpu_mode mode);

/* Whether a sample counts whose innermost frame is at this location, by its file and its name; one that
 * has no frame left, LOCATION_NONE, because only some were asked for does not. */
bool selection_takes_leaf(const struct selection *selection, const struct profile *profile,
			  const struct locations *locations, location_id leaf);

/* A sample, with the names of its thread and its process at that time. */
struct selection_subject {
	const struct event *event;
	struct text comm, process;
};

/* Whether a sample is one that is asked for by a criterion, and by all: whether it counts, as far as that can
 * be told without the names of its frames. */
bool selection_meets(const struct selection *selection, enum selection_criterion criterion,
		     const struct selection_subject *subject);
bool selection_takes(const struct selection *selection, const struct selection_subject *subject);

/* Whether anything is asked for by a criterion. */
bool selection_has(const struct selection *selection, enum selection_criterion criterion);

#endif
