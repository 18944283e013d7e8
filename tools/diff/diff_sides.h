/* SPDX-License-Identifier: MIT */
/*
 * The inputs of both sides of a comparison:
 *
 *     kiln diff                               before                  after
 *     A B                                     A                       B
 *     --before A --before B --after C         A, B                    C
 *     --baseline DIR C                        the captures in DIR     C
 *     --split-time 0%-50% --against 50% A     first half of A         second half of A
 *     --window-vs-rest 1.5,2 A                A outside the window    A in the window
 *     --spikes A                              A without spikes        spikes of A
 *     --split-by comm=old,new A               threads old of A        threads new of A
 *     --split-by host=rest,web-1 A            other hosts             host web-1, a label of kiln merge
 */
#ifndef TOOLS_DIFF_DIFF_SIDES_H
#define TOOLS_DIFF_DIFF_SIDES_H

#include "diff/diff_scale.h"
#include "tools/diff/baseline.h"
#include "cli/settings.h"

struct diff_input {
	enum diff_side side;
	const char *path;
	struct settings settings; /* how the input is read; lists are borrowed */
	VEC(char *) events; /* after reading: the event that the input shows, then all others */
	bool is_reported;   /* the input is incomplete, and this was reported */
	bool is_past;       /* part of the baseline: skipped if it cannot be compared */
};

struct diff_sides {
	VEC(struct diff_input) inputs;
	bool allows_events;                      /* the sides show different events */
	struct selection selections[DIFF_SIDES]; /* for the parts of a split capture */
	char *values[DIFF_SIDES];                /* the values that select the parts, as given */
	char *parts[DIFF_SIDES];                 /* "comm=old"; NULL if not split */
	struct baseline baseline;
};

bool diff_sides_init(struct diff_sides *sides, const struct settings *settings,
		     struct error *err) WARN_UNUSED;
void diff_sides_deinit(struct diff_sides *sides);

/* Removes an input of the baseline that could not be read or compared. */
void diff_sides_skip(struct diff_sides *sides, size_t index, const struct error *reason);

/* Warns about skipped files of the baseline. False if no file is left. */
bool diff_sides_report(const struct diff_sides *sides, const struct settings *settings,
		       struct error *err) WARN_UNUSED;

/*
 * Chooses an event that all inputs read so far have in common, so that they can be read again with
 * this event. Returns false if there is no such event, if --event was given, or if an input is
 * standard input.
 */
bool diff_sides_share_event(struct diff_sides *sides, const struct settings *settings) WARN_UNUSED;

#endif
