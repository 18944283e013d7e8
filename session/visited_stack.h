/* SPDX-License-Identifier: MIT */
/*
 * Converts the stack of a visited sample to the frames that a profile with the same view has:
 *
 *     visited.frames   innermost first, locations        stack.frames   root first, frames
 */
#ifndef SESSION_VISITED_STACK_H
#define SESSION_VISITED_STACK_H

#include "profile/frames.h"
#include "profile/tree/stack_transform.h"
#include "session/visit.h"

struct visited_stack {
	const struct view *view;
	struct frames names;
	struct stack_transform transform;
	VEC(bool) is_base;    /* by frame; set only if bases were requested */
	VEC(uint32_t) frames; /* root first */
};

/* The session must stay open until visited_stack_finish. */
void visited_stack_init(struct visited_stack *stack, struct session *session);

/*
 * Appends the frames of a sample to the group frames in stack->frames. Returns false if the view
 * does not show the stack.
 */
bool visited_stack_append(struct visited_stack *stack, const struct visited_sample *visited);

/* Moves the frames to the profile, and frees everything else. */
void visited_stack_finish(struct visited_stack *stack, struct profile *profile);

#endif
