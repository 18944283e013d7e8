/* SPDX-License-Identifier: MIT */
/*
 * Finds the frames that stand for stacks missing from an SVG. kiln omits stacks to limit the size
 * of the file, and other tools omit frames that are too narrow.
 */
#ifndef PROFILE_MISSING_H
#define PROFILE_MISSING_H

#include "profile/profile.h"

/* Whether this is the name of such a frame. */
bool missing_is_name(struct text name);

static inline bool missing_is_frame(const struct profile *profile, frame_id frame)
{
	return profile->frames.at[frame.i].kind == FRAME_MARK &&
	       missing_is_name(profile_frame_name(profile, frame));
}

/* Returns the frame for the stacks that kiln omitted, or frames.count if there is none. */
uint32_t missing_left_out_frame(const struct profile *profile);

/* Returns the weight of all such frames. */
uint64_t missing_weight(const struct profile *profile);

#endif
