/* SPDX-License-Identifier: MIT */
/*
 * Which captures, or which parts of one, are the two sides of a comparison:
 *
 *     kiln diff A B                                    before A                after B
 *     kiln diff --before A --before B --after C        before A, B             after C
 *     kiln diff --baseline DIR C                       before all in DIR       after C
 *     kiln diff --split-time 0%-50% --against 50% A    before A's first half   after its second
 *     kiln diff --split-by comm=old,new A              before A's threads old  after its threads new
 */
#ifndef TOOLS_DIFF_SIDES_H
#define TOOLS_DIFF_SIDES_H

#include "diff/diff_scale.h"
#include "tools/baseline.h"
#include "cli/settings.h"

struct diff_input {
	enum diff_side side;
	const char *path;
	struct settings settings; /* how it is read; its lists are the command's, or the sides' */
	VEC(char *) events;       /* once it was read: the event it shows, then the others it has */
	bool is_told;             /* what it is missing was printed */
	bool is_past; /* of the baseline: it is skipped when it is not a capture that can be compared */
};

struct diff_sides {
	VEC(struct diff_input) inputs;
	bool allows_events; /* it was asked to compare two */
	struct selection
		selections[DIFF_SIDES]; /* of a capture that is split: what tells them apart */
	char *values[DIFF_SIDES];       /* the same, as given */
	char *parts
		[DIFF_SIDES]; /* what they are values of, too: "comm=old"; NULL: nothing is split */
	struct baseline baseline;
};

bool diff_sides_init(struct diff_sides *sides, const struct settings *settings,
		     struct error *err) WARN_UNUSED;
void diff_sides_deinit(struct diff_sides *sides);

/* Leaves out an input of the baseline, which could not be read or compared. */
void diff_sides_skip(struct diff_sides *sides, size_t index, const struct error *reason);

/* After reading: warns of what was left out. False when nothing of the baseline was left. */
bool diff_sides_report(const struct diff_sides *sides, const struct settings *settings,
		       struct error *err) WARN_UNUSED;

/*
 * Has the inputs read again by an event that all inputs read so far have, where nobody asked for one and they
 * show different ones by default. False: they have none in common, or cannot be read twice.
 */
bool diff_sides_share_event(struct diff_sides *sides, const struct settings *settings) WARN_UNUSED;

#endif
