/* SPDX-License-Identifier: MIT */
/*
 * Defines the colours and names of the states in lanes. Running is dark, waiting for a CPU is
 * orange, and blocked is pale, so that activity stands out. Reasons have the same colours in all
 * SVGs; functions and comms get colours by rank.
 */
#ifndef RENDER_TIMELINE_LANES_COLOUR_H
#define RENDER_TIMELINE_LANES_COLOUR_H

#include "base/sink.h"
#include "timeline/lanes.h"

struct lane_colour {
	const char *light, *dark; /* for light and dark mode, as #rrggbb */
};

struct lane_colour lanes_colour(const struct lanes *lanes, uint32_t kind);

/* Writes the name of a kind, unescaped: "running: main", "blocked: disk", "preempted". */
void lanes_kind_name(const struct lanes *lanes, uint32_t kind, struct sink *sink);

/*
 * Writes the part of the name that distinguishes the kind in its group: "main", "disk",
 * "preempted".
 */
void lanes_kind_short_name(const struct lanes *lanes, uint32_t kind, struct sink *sink);

/*
 * Returns the name of the group to which a state belongs: "Running", "Waiting for a CPU",
 * "Blocked", "Not known".
 */
const char *lanes_group_name(enum schedule_state state);

#endif
