/* SPDX-License-Identifier: MIT */
/*
 * Converts a list of resolved stacks to distinct arrays of frames: group frames, then one frame for
 * each location, or several if functions are inlined there.
 *
 *     resolved   key: comm 3, callers: 8 5, leaf 9
 *     unfolded   40 │ 7  4 12 │ 31                     40 is comm 3, 12 was inlined into 4
 *
 * Different resolved stacks become one stack if they differ only in addresses within functions.
 */
#ifndef PROFILE_TREE_UNFOLD_H
#define PROFILE_TREE_UNFOLD_H

#include "base/arena.h"
#include "profile/frames.h"
#include "profile/selection/selection.h"
#include "profile/tree/resolved.h"
#include "profile/tree/stack_sort.h"
#include "profile/tree/stack_transform.h"

struct unfolded {
	struct arena arena; /* owns the frames */
	struct stack_list rows;
};

void unfolded_init(struct unfolded *unfolded);
void unfolded_deinit(struct unfolded *unfolded);

/* Shared by all workers, which do not create frames, because all frames already exist. */
struct unfolding {
	const struct profile *profile;
	const struct frames *frames;
	struct stack_transform transform;
	/*
	 * Whether samples count, indexed by the location of their innermost frame, with the entry
	 * for "no location" last. If NULL, all samples count.
	 */
	const bool *takes_leaf;
	const struct grouping *grouping;
	/* Frames indexed by location, with the frame for "no location" last; NULL if not grouped by
	 * location. */
	const uint32_t *of_dso;
	uint32_t dso_level; /* grouping level of the DSO, if of_dso is set */
	bool has_wakers;
	bool counts_samples;
};

/* The groups of keys. */
struct unfolded_groups {
	const uint32_t *rows;   /* by key: the row in the next two arrays */
	const uint32_t *frames; /* of each row, one for each grouping level */
	const bool *is_java;
};

/* Adds the stacks of `resolved`, most of them only once. */
void unfold(const struct unfolding *unfolding, const struct resolved *resolved,
	    const struct unfolded_groups *groups, struct unfolded *unfolded);

#endif
