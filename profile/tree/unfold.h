/* SPDX-License-Identifier: MIT */
/*
 * Resolved stacks as runs of frames, of which a worker's are kept each once: what a stack stands on, and
 * on that a frame for each of its locations, or several where functions were inlined.
 *
 *     resolved   callers: comm 3, locations 8 5, leaf 9
 *     unfolded   40 │ 7  4 12 │ 31                     40 is comm 3, 12 was inlined into 4
 */
#ifndef PROFILE_TREE_UNFOLD_H
#define PROFILE_TREE_UNFOLD_H

#include "profile/tree/distinct_stacks.h"
#include "profile/tree/stack_transform.h"
#include "profile/frames.h"
#include "profile/selection/selection.h"

/* What holds for the stacks of all workers. No frame is made here: all are there. */
struct unfolding {
	const struct profile *profile;
	const struct frames *frames;
	struct stack_transform transform;
	/* By location, then of no place, whether samples whose innermost frame is there count; NULL: all do. */
	const bool *takes_leaf;
	const struct grouping *grouping;
	const uint32_t *
		of_dso; /* frames, by location, then that of no location; NULL: not grouped by it */
	uint32_t dso_level; /* of the grouping, with of_dso */
	bool has_wakers;
	bool counts_samples;
};

/* groups: the frames each callers' stacks stand on, callers after callers; is_java: by callers. */
void unfold(const struct unfolding *unfolding, const struct resolved *resolved,
	    const uint32_t *groups, const bool *is_java, struct distinct_stacks *stacks);

#endif
