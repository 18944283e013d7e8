/* SPDX-License-Identifier: MIT */
/*
 * What functions come to in all, of an input that lacks some of its stacks: an SVG of a large profile.
 * It is told of frames as the input has them; profile->exact has it by frame of the profile.
 *
 *     exact_functions_read ─▶ texts are read, locations made ─▶ exact_functions_locate
 *                          ─▶ the profile is built           ─▶ exact_functions_apply
 *
 * It holds for the whole of the input only. Where a selection, a grouping or a weight made something else of
 * the stacks, or the two contradict each other, profile->exact stays empty.
 */
#ifndef SESSION_EXACT_FUNCTIONS_H
#define SESSION_EXACT_FUNCTIONS_H

#include "session/session.h"

struct exact_function {
	uint32_t place; /* a row of session->text.frames, and then of session->locations */
	str_id event;
	struct function_sum sum;
};

struct exact_name {
	str_id event;
	struct name_total total;
};

/* All 0 at first. */
struct exact_functions {
	VEC(struct exact_function) functions;
	VEC(struct exact_name) names;
};

void exact_functions_deinit(struct exact_functions *functions);

/* Before the texts of frames are read. */
void exact_functions_read(struct exact_functions *functions, struct session *session);

/* When they were, and while they are still known. */
void exact_functions_locate(struct exact_functions *functions, const struct session *session);

/* When the profile is built. */
void exact_functions_apply(const struct exact_functions *functions, struct session *session);

#endif
