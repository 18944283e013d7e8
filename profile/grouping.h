/* SPDX-License-Identifier: MIT */
/*
 * The keys by which stacks are grouped (--by). Each key adds a group frame between the root and the
 * first function. The default is the comm.
 *
 *     --by comm        --by comm,tid          --by cpu
 *     make;main;...    make;tid 412;main;...  cpu 3;main;...
 *
 *     --by cgroup                       --by prev_comm           --by dso
 *     /system.slice/cron.service;...    prev_comm=make;...       libc.so.6;main;...
 *
 * Tables have a column for each key, including keys that have a value for each frame:
 *
 *     kiln report --by comm,dso,symbol
 *     self   total   comm   dso          symbol
 *     40.00% 60.00%  make   /bin/make    parse
 *
 * To add a key, add a row to the table in grouping.c. For a sample key, profile/frames.c must also
 * create its frames. For a frame key, render/report/report_rows.c must also decide which values are
 * equal.
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
	GROUP_FILE,    /* the input, if there are several inputs */
	GROUP_DSO,     /* the DSO of the leaf; in tables, of each frame */
	GROUP_SYMBOL,  /* tables only, like GROUP_SRCLINE */
	GROUP_SRCLINE, /* the source line that ran, or called the next function */
	GROUP_FIELD,   /* a tracepoint field or a label, by name */
	GROUP_BY_COUNT,
};

/* Enough levels for each key, and some fields. */
#define GROUPING_LEVELS_MAX (GROUP_BY_COUNT + 6)

struct grouping {
	enum group_by by[GROUPING_LEVELS_MAX];   /* from the root */
	struct text fields[GROUPING_LEVELS_MAX]; /* names, for GROUP_FIELD; borrowed */
	uint32_t count;
};

/* The default, as an initialiser. */
#define GROUPING_BY_COMM                         \
	{                                        \
		.by = { GROUP_COMM }, .count = 1 \
	}

/*
 * Parses "comm,tid". Words that are not keys are field or label names. Once a capture is open, kiln
 * checks whether an event has them. The text is borrowed.
 */
bool grouping_parse(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

/* Parses the columns of a table, at least one. */
bool grouping_parse_columns(const char *text, struct grouping *ret, struct error *err) WARN_UNUSED;

/*
 * Whether --by reads the text as the name of a field or label, because it is a word but not a key.
 */
bool grouping_is_field(struct text text);
/* Whether this is allowed as a label key, because no option gives the word a different meaning. */
bool grouping_is_label(struct text text);

bool grouping_has(const struct grouping *grouping, enum group_by by);

/* Adds a key before the others. Fails if there are too many keys. */
bool grouping_prepend(struct grouping *grouping, enum group_by by, struct error *err) WARN_UNUSED;

/* Whether a key has a value for each frame instead of each stack. */
bool grouping_is_of_frames(enum group_by by);

/* Returns the columns that have one value for each stack. Stacks are grouped by these columns. */
struct grouping grouping_of_samples(const struct grouping *columns);

/* The heading of a column, and whether its values are numbers. */
struct text grouping_column_name(const struct grouping *columns, uint32_t column);
bool grouping_is_number(enum group_by by);

/* Extracts a column's value from the name of a group frame: "412" from "tid 412". */
struct text grouping_column_value(const struct grouping *columns, uint32_t column,
				  struct text frame_name);

#endif
