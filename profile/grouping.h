/* SPDX-License-Identifier: MIT */
/*
 * What stacks stand on: the frames between the root and the first function, one for each thing
 * that is told apart. The default is the thread's name.
 *
 *     --by comm        --by comm,tid          --by cpu
 *     make;main;...    make;tid 412;main;...  cpu 3;main;...
 */
#ifndef PROFILE_GROUPING_H
#define PROFILE_GROUPING_H

#include "base/error.h"

enum group_by {
	GROUP_COMM,
	GROUP_PID,
	GROUP_TID,
	GROUP_CPU,
	GROUP_EVENT,
	GROUP_FILE, /* the input, for several at once */
	GROUP_BY_COUNT,
};

struct grouping {
	enum group_by by[GROUP_BY_COUNT]; /* from the root up */
	uint32_t count;
};

/* By comm alone. */
void grouping_init(struct grouping *grouping);

/* Parses "comm,tid". */
bool grouping_parse(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

bool grouping_has(const struct grouping *grouping, enum group_by by);

#endif
