/* SPDX-License-Identifier: MIT */
/*
 * Creates the frames of a profile. Each location gets a frame for its function, and a frame for
 * each function inlined there. Each group value also gets a frame. Ranks order frames by name.
 * Frames with the same name have the same rank, unless frames are distinguished by DSO.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "profile/frame_name.h"
#include "profile/frame_table.h"
#include "profile/grouping.h"
#include "profile/location.h"
#include "profile/profile.h"
#include "profile/tree/resolved.h"

struct comm_frame {
	uint32_t frame; /* UINT32_MAX if not created yet */
	bool is_java;
};

/* The frames of one location, as a range of in_runs; the function itself comes first. */
struct frame_run {
	uint32_t first;
	uint32_t count; /* 0 if not created yet */
};

/* A location has different frames in different variants. */
struct frame_variant {
	bool is_java; /* names in Java processes are simplified */
	enum frame_activity activity;
};

/* The number of functions whose frames are remembered, because most have several locations. */
#define FRAMES_RECENT 4096

struct frames {
	struct strings *strings;
	const struct modules *modules;
	const struct locations *locations;
	const struct frame_naming *naming;
	struct frame_table table;
	VEC(uint32_t) in_runs; /* frames */
	/*
	 * Indexed by variant, then by location. NULL if no frame of this variant has been requested
	 * yet.
	 */
	struct frame_run *of_location[2][FRAME_SEVERAL];
	/* Locations in different functions, by name and module. LOCATION_NONE if there is none. */
	location_id recent[FRAMES_RECENT];
	/*
	 * Indexed by the comm's str_id. Names that are made up for threads without a recorded comm
	 * are not included.
	 */
	struct comm_frame *of_comm;
	/*
	 * Tidied function names, indexed by the str_id of the original name. STR_EMPTY: not
	 * computed yet. Has string_count entries, like of_comm.
	 */
	str_id *of_inlined[2];
	size_t string_count;     /* the number of strings that the arrays above cover */
	interpreter_roles roles; /* by frame; empty if interpreters are shown */
	/* by activity: the frame that replaces interpreter frames */
	uint32_t merged[FRAME_SEVERAL];
	uint32_t *rank; /* by frame, set by frames_number */
};

/* naming is borrowed. */
void frames_init(struct frames *frames, struct strings *strings, const struct modules *modules,
		 const struct locations *locations, const struct frame_naming *naming);
void frames_deinit(struct frames *frames);

/* Returns the frames of a location. */
struct frame_run frames_of_location(struct frames *frames, location_id location,
				    struct frame_variant variant);
struct comm_frame frames_of_comm(struct frames *frames, const struct stack_key *key);

/* Returns a group frame. */
uint32_t frames_of_group(struct frames *frames, const struct profile *profile,
			 const struct stack_key *key, enum group_by by);

/* Returns the group frame of a location's DSO. location is NULL if the stack has no location. */
uint32_t frames_of_dso(struct frames *frames, const struct location *location);

/* Returns the group frame of a value that is given as text. */
uint32_t frames_of_value(struct frames *frames, struct text value);

/*
 * Returns the runs of all locations for this variant, indexed by location. All these runs must
 * already exist.
 */
const struct frame_run *frames_of_locations(const struct frames *frames,
					    struct frame_variant variant);

/* Computes ranks, after the last new frame. */
void frames_number(struct frames *frames);

#endif
