/* SPDX-License-Identifier: MIT */
/*
 * Frames that stand for stacks a flame graph does not show: kiln's own, of what it had no room for, and
 * what is uncovered of the root where other tools drew only frames of some width.
 */
#ifndef PROFILE_MISSING_H
#define PROFILE_MISSING_H

#include "profile/profile.h"

/* Whether a frame of this name is one. */
bool missing_is_name(struct text name);

static inline bool missing_is_frame(const struct profile *profile, frame_id frame)
{
	return profile->frames.at[frame.i].kind == FRAME_MARK &&
	       missing_is_name(profile_frame_name(profile, frame));
}

/* The frame for what kiln left out; frames.count: there is none. */
uint32_t missing_left_out_frame(const struct profile *profile);

/* What all such frames weigh. */
uint64_t missing_weight(const struct profile *profile);

#endif
