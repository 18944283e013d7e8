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
 *
 * Tables have a column for each of the same keys, and for some that each frame of a stack has a value
 * of its own for:
 *
 *     kiln report --by comm,dso,symbol
 *     self   total   comm   dso          symbol
 *     40.00% 60.00%  make   /bin/make    parse
 *
 * A new key is a row of the table in grouping.c, and, where its value is one of samples, a frame in
 * profile/frames.c; where it is one of frames, an identity in render/text/report_rows.c.
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
	GROUP_FILE,    /* the input, for several at once */
	GROUP_DSO,     /* the module the innermost frame is of; in tables that of each */
	GROUP_SYMBOL,  /* in tables only, and so is the next */
	GROUP_SRCLINE, /* the line of source text that ran, or made the call */
	GROUP_FIELD,   /* of a tracepoint, by its name */
	GROUP_BY_COUNT,
};

/* Levels of a grouping: each once, and some fields. */
#define GROUPING_LEVELS_MAX (GROUP_BY_COUNT + 6)

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

/* The same for the columns of a table: one at least. */
bool grouping_parse_columns(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

bool grouping_has(const struct grouping *grouping, enum group_by by);

/* Whether a column has a value for each frame, rather than one for all of a stack. */
bool grouping_is_of_frames(enum group_by by);

/* Those columns that have one value for all of a stack: what stacks are to be grouped by. */
struct grouping grouping_of_samples(const struct grouping *columns);

/* What heads a column, and whether what is in it are numbers. */
struct text grouping_column_name(const struct grouping *columns, uint32_t column);
bool grouping_is_number(enum group_by by);

/* What a column shows of the name of a frame that stacks are grouped by: "412" of "tid 412". */
struct text grouping_column_value(const struct grouping *columns, uint32_t column,
				  struct text frame_name);

#endif
