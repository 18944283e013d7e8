/* SPDX-License-Identifier: MIT */
/*
 * Matches event names as perf records them with the shorter names that users type. Parts that only
 * describe how an event was sampled may be omitted:
 *
 *     recorded              matches
 *     cpu-clock:ppp         cpu-clock
 *     cpu-clock/freq=999/   cpu-clock
 *     cpu_core/cycles/u     cycles, cpu_core/cycles/, cpu_core/cycles
 *     cpu/event=0x3c/       only itself
 *     sched:sched_switch    only itself
 */
#ifndef PROFILE_EVENT_NAME_H
#define PROFILE_EVENT_NAME_H

#include "base/error.h"
#include "base/strings.h"

/* How well a name matches a pattern; only the events with the best match are selected. */
enum event_match {
	EVENT_MATCH_NONE,
	EVENT_MATCH_BASE,    /* the pattern is the base name */
	EVENT_MATCH_PATTERN, /* as in base/name_pattern.h */
	EVENT_MATCH_EXACT,
};

/* The parts of an event name; missing parts are empty. */
struct event_name {
	struct text pmu;       /* "cpu_core" of "cpu_core/cycles/u" */
	struct text base;      /* "cycles" */
	struct text modifiers; /* "u" of "cycles:u" and of "cpu/cycles/u" */
};

struct event_name event_name_parse(struct text name);

enum event_match event_name_match(struct text name, const char *pattern);

/*
 * Whether two names mean the same event: equal base, PMU and privilege levels. A name without a PMU
 * matches any PMU, and H is ignored.
 */
bool event_names_alike(struct text left, struct text right);

/*
 * Whether samples of two events can be added up: their names differ at most in how precise the
 * addresses are (modifiers p and P).
 */
bool event_names_add_up(struct text left, struct text right);

/* Whether samples of this event show what CPUs execute: cpu-clock, task-clock, cycles. */
bool event_name_is_of_cpu_time(struct text name);

#endif
