/* SPDX-License-Identifier: MIT */
/*
 * Exact sums of functions that came with an input that lacks stacks, such as kiln's SVG of a large profile:
 *
 *     exact_functions_read ─▶ texts are read, locations made ─▶ exact_functions_locate
 *                          ─▶ build_profile: tree            ─▶ exact_functions_apply ─▶ profile->exact
 *
 * The sums are of the whole input. Do not read them if samples are selected or stacks regrouped. profile->exact stays
 * empty if they contradict the tree.
 */
#ifndef PROFILE_EXACT_FUNCTIONS_H
#define PROFILE_EXACT_FUNCTIONS_H

#include "libparse/formats.h"
#include "profile/frames.h"
#include "profile/raw_texts.h"

struct exact_function {
	uint32_t row; /* of the raw texts of frames; after exact_functions_locate of locations */
	str_id event;
	struct function_sum sum;
};

struct exact_name {
	str_id event;
	struct name_total total;
};

/* All zero at first. */
struct exact_functions {
	struct strings *strings; /* the profile's */
	struct raw_texts *texts; /* of frames */
	VEC(struct exact_function) functions;
	VEC(struct exact_name) names;
};

/* Reads the sums of a capture, if its format has them, before the texts of frames are read. Arguments are borrowed. */
void exact_functions_read(struct exact_functions *functions, const struct capture *capture,
			  struct strings *strings, struct raw_texts *texts);
void exact_functions_deinit(struct exact_functions *functions);

/* locations: the first location by row of the raw texts. */
void exact_functions_locate(struct exact_functions *functions, const uint32_t *locations);

/* Sets profile->exact. The last step of build_profile. */
void exact_functions_apply(const struct exact_functions *functions, struct profile *profile,
			   const struct locations *locations, const struct frame_naming *naming);

#endif
