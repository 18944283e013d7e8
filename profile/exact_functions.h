/* SPDX-License-Identifier: MIT */
/*
 * An input that lacks stacks, such as kiln's SVG of a large profile, may contain exact sums for all
 * functions (self and total weights):
 *
 *     exact_functions_read ─▶ texts are read, locations made ─▶ exact_functions_locate
 *                          ─▶ build_profile: tree            ─▶ exact_functions_apply ─▶ profile->exact
 *
 * The sums cover the whole input, so they must not be read if samples are selected or stacks
 * regrouped. If they contradict the tree, profile->exact stays empty.
 */
#ifndef PROFILE_EXACT_FUNCTIONS_H
#define PROFILE_EXACT_FUNCTIONS_H

#include "libparse/formats.h"
#include "profile/frames.h"
#include "profile/raw_texts.h"

struct exact_function {
	uint32_t row; /* row of the raw texts; after exact_functions_locate, row of locations */
	str_id event;
	struct function_sum sum;
};

struct exact_name {
	str_id event;
	struct name_total total;
};

/* Initially all zero. */
struct exact_functions {
	struct strings *strings; /* the profile's */
	struct raw_texts *texts; /* raw frame texts */
	VEC(struct exact_function) functions;
	VEC(struct exact_name) names;
};

/*
 * Reads the sums of a capture if its format has them. Must be called before frame texts are read.
 * Arguments are borrowed.
 */
void exact_functions_read(struct exact_functions *functions, const struct capture *capture,
			  struct strings *strings, struct raw_texts *texts);
void exact_functions_deinit(struct exact_functions *functions);

/* locations: the first location of each text, indexed by row of the raw texts. */
void exact_functions_locate(struct exact_functions *functions, const uint32_t *locations);

/* Sets profile->exact, as the last step of build_profile. */
void exact_functions_apply(const struct exact_functions *functions, struct profile *profile,
			   const struct locations *locations, const struct frame_naming *naming);

#endif
