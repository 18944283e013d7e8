/* SPDX-License-Identifier: MIT */
/*
 * What each side of a comparison shows: which event, counted in what. Sides of one event in one unit are compared
 * in every way. Where the units differ, as with an SVG in ms or folded stacks that count samples, their shares
 * are, and their totals are not.
 */
#ifndef DIFF_DIFF_VIEW_H
#define DIFF_DIFF_VIEW_H

#include "diff/diff_scale.h"

struct diff_view {
	str_id event_name, weight_name; /* as in struct profile, of the union's strings */
	enum weight_unit unit;
	bool is_there; /* a profile of that side was added */
};

/* Whether an event's name says what was counted: "samples" and the units of other tools' SVGs do not. */
bool diff_event_is_known(struct text event);

struct diff;

/* Whether a profile shows the event of those added before it, as far as both say what it is. */
bool diff_shows_same(const struct diff *diff, const struct profile *profile);

/* Adds what a profile shows; false when it cannot be compared to those before it. */
bool diff_view_add(struct diff *diff, const struct profile *profile, enum diff_side side,
		   struct error *err) WARN_UNUSED;

/* Whether the totals of both sides are counted in different units. */
bool diff_has_two_units(const struct diff *diff);

/* The union in the unit of one side, for whoever writes weights; it shares all else with it. */
struct profile diff_view_of(const struct diff *diff, enum diff_side side);

#endif
