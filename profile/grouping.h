/* SPDX-License-Identifier: MIT */
/*
 * What stacks stand on: the frames between the root and the first function, one for each thing
 * that is told apart. The default is the thread's name.
 *
 *     --by comm        --by comm,tid          --by cpu
 *     make;main;...    make;tid 412;main;...  cpu 3;main;...
 *
 *     --by cgroup                       --by prev_comm           --by dso
 *     /system.slice/cron.service;...    prev_comm=make;...       libc.so.6;main;...
 */
#ifndef PROFILE_GROUPING_H
#define PROFILE_GROUPING_H

#include "base/error.h"
#include "base/strings.h"

enum group_by {
	GROUP_COMM,
	GROUP_PID,
	GROUP_TID,
	GROUP_CPU,
	GROUP_EVENT,
	GROUP_CGROUP,
	GROUP_FILE,  /* the input, for several at once */
	GROUP_DSO,   /* the module the innermost frame is of */
	GROUP_FIELD, /* of a tracepoint, by its name */
	GROUP_BY_COUNT,
};

/* Levels of a grouping: each once, and some fields. */
#define GROUPING_LEVELS_MAX (GROUP_BY_COUNT + 8)

struct grouping {
	enum group_by by[GROUPING_LEVELS_MAX];   /* from the root up */
	struct text fields[GROUPING_LEVELS_MAX]; /* their names, where it is by them; borrowed */
	uint32_t count;
};

/* By comm alone. */
void grouping_init(struct grouping *grouping);

/* Parses "comm,tid". A word of no other meaning is a field, and only a capture tells whether it has
 * that. The text is borrowed. */
bool grouping_parse(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

bool grouping_has(const struct grouping *grouping, enum group_by by);

#endif
