/* SPDX-License-Identifier: MIT */
/*
 * Makes the frames of a profile: for each location one frame and one for each inlined function, and a frame
 * for each group value. Ranks order frames by name; frames of equal name have the same rank, unless DSOs tell
 * them apart.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "profile/frame_name.h"
#include "profile/frame_table.h"
#include "profile/grouping.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/resolve.h"

struct comm_frame {
	uint32_t frame; /* UINT32_MAX: not made yet */
	bool is_java;
};

/* The frames of one location, the function itself first: rows of in_runs. */
struct frame_run {
	uint32_t first;
	uint32_t count; /* 0: not made yet */
};

/* What frames of one location are told apart by. */
struct frame_variant {
	bool is_java; /* of a Java process, whose names are simplified */
	enum frame_activity activity;
};

struct frames {
	struct strings *strings;
	const struct modules *modules;
	const struct locations *locations;
	const struct frame_naming *naming;
	struct frame_table table;
	VEC(uint32_t) in_runs; /* frames */
	/* By variant and location; NULL: none of it has been asked for. */
	struct frame_run *of_location[2][FRAME_SEVERAL];
	/* By str_id of the comm; those threads are called by that no record named are not in it. */
	struct comm_frame *of_comm;
	/* By str_id of the name the function was found under; STR_EMPTY: not tidied yet. As above. */
	str_id *of_inlined[2];
	size_t string_count;     /* at the beginning; the arrays above have no later strings */
	interpreter_roles roles; /* by frame; empty if interpreters are shown */
	uint32_t
		merged[FRAME_SEVERAL]; /* by activity: the frame that replaces interpreter frames */
	uint32_t *rank;                /* by frame, set by frames_number */
};

/* naming is borrowed. */
void frames_init(struct frames *frames, struct strings *strings, const struct modules *modules,
		 const struct locations *locations, const struct frame_naming *naming);
void frames_deinit(struct frames *frames);

/* The frames of a location, and the one a process's stacks stand on. */
struct frame_run frames_of_location(struct frames *frames, location_id location,
				    struct frame_variant variant);
struct comm_frame frames_of_comm(struct frames *frames, const struct resolved_callers *callers);

/* Returns a group frame. */
uint32_t frames_of_group(struct frames *frames, const struct profile *profile,
			 const struct resolved_callers *callers, enum group_by by);

/* The frame of the module a location is in; NULL: of no location. */
uint32_t frames_of_dso(struct frames *frames, const struct location *location);

/* Returns the group frame of a text. */
uint32_t frames_of_value(struct frames *frames, struct text value);

/* The runs of all locations, by location, when those of this variant have been made. */
const struct frame_run *frames_of_locations(const struct frames *frames,
					    struct frame_variant variant);

/* Computes ranks, after the last new frame. */
void frames_number(struct frames *frames);

#endif
