/* SPDX-License-Identifier: MIT */
/*
 * Event names as perf records them, and the shorter ones people call them by. What the name says of how
 * it was sampled, and not of what was counted, need not be repeated:
 *
 *     recorded              called
 *     cpu-clock:ppp         cpu-clock
 *     cpu-clock/freq=999/   cpu-clock
 *     cpu_core/cycles/u     cycles, cpu_core/cycles/, cpu_core/cycles
 *     cpu/event=0x3c/       by its whole name alone
 *     sched:sched_switch    by its whole name alone
 */
#ifndef PROFILE_EVENT_NAME_H
#define PROFILE_EVENT_NAME_H

#include "base/error.h"
#include "base/strings.h"

/* How well a name fits a pattern; a better match of another event rules out a worse one. */
enum event_match {
	EVENT_MATCH_NONE,
	EVENT_MATCH_BASE,    /* the pattern is the name without what is around it */
	EVENT_MATCH_PATTERN, /* as in base/name_pattern.h */
	EVENT_MATCH_EXACT,
};

/* The parts of an event's name; those it does not have are empty. */
struct event_name {
	struct text pmu;       /* "cpu_core" of "cpu_core/cycles/u" */
	struct text base;      /* "cycles" */
	struct text modifiers; /* "u" of "cycles:u" and of "cpu/cycles/u" */
};

struct event_name event_name_parse(struct text name);

enum event_match event_name_match(struct text name, const char *pattern);

/* Whether two names are of one event: the same base, PMU and privilege levels, however it was sampled. A name
 * without a PMU is that of any. */
bool event_names_alike(struct text left, struct text right);

#endif
