/* SPDX-License-Identifier: MIT */
/*
 * Transforms each stack as options require, before it is counted, in this order:
 *
 *     stack                        app;main;interpreter;parse;read
 *     interpreter frames hidden    app;main;parse;read
 *     from the base "main" on      main;parse;read               group frames are also removed,
 *                                                                unless keeps_groups
 *     reversed                     read;parse;main               above group frames
 *     at most 2 frames deep        read;parse                    above group frames
 */
#ifndef PROFILE_TREE_STACK_TRANSFORM_H
#define PROFILE_TREE_STACK_TRANSFORM_H

#include "profile/frames.h"

struct stack_transform {
	/* their naming includes the interpreter style; if NULL, all frames are shown */
	const struct frames *frames;
	const bool *is_base; /* by frame; if NULL, stacks begin at their roots */
	bool keeps_groups;   /* group frames remain; if one is the base, so does the whole stack */
	bool is_reversed;
	uint32_t depth_max; /* 0 means no limit */
};

/* Whether the options can change anything other than the depth of stacks. */
bool stack_transform_is_needed(const struct stack_transform *transform);

/*
 * Transforms a stack in place, root first; the first group_count frames are groups. Returns false
 * if the stack does not count because it lacks the base.
 */
bool stack_transform_apply(const struct stack_transform *transform, uint32_t *frames,
			   uint32_t *count, uint32_t group_count);

#endif
