/* SPDX-License-Identifier: MIT */
/*
 * Converts a list of resolved stacks to distinct arrays of frames: group frames, then one
 * frame for each location, or several if functions are inlined there.
 *
 *     resolved   callers: comm 3, locations 8 5, leaf 9
 *     unfolded   40 │ 7  4 12 │ 31                     40 is comm 3, 12 was inlined into 4
 */
#ifndef PROFILE_TREE_UNFOLD_H
#define PROFILE_TREE_UNFOLD_H

#include "base/arena.h"
#include "base/idtable.h"
#include "profile/frames.h"
#include "profile/selection/selection.h"
#include "profile/tree/stack_sort.h"
#include "profile/tree/stack_transform.h"

#define DISTINCT_STACKS_PENDING 32

struct pending_stack {
	struct sorted_stack stack; /* its frames are set when it is added */
	size_t frame_first;        /* in pending_frames */
	uint64_t hash;
};

/*
 * Distinct stacks as arrays of frames, for each time bin. Different callchains become one stack if
 * they differ only in addresses within functions.
 *
 *     frames 4 9 7, weight 3 ─┐
 *     frames 4 9 7, weight 5 ─┴─hash──▶ row: frames 4 9 7, weight 8
 */
struct distinct_stacks {
	struct arena arena; /* owns the frames */
	struct idtable ids;
	struct stack_list rows; /* in order of first appearance */
	/* Stacks that are looked up together, so that their cache misses overlap. */
	struct pending_stack pending[DISTINCT_STACKS_PENDING];
	size_t pending_count;
	VEC(uint32_t) pending_frames;
};

void distinct_stacks_init(struct distinct_stacks *stacks);
void distinct_stacks_deinit(struct distinct_stacks *stacks);

/*
 * Adds the counts of a stack to the equal stored stack, or stores a copy if the stack is new, now
 * or in a later call. hash is the hash of its frames and bin.
 */
void distinct_stacks_add(struct distinct_stacks *stacks, const struct sorted_stack *stack,
			 uint64_t hash);

/*
 * Moves the rows to the caller. They point to frames that stay here. No stacks may be added
 * afterwards.
 */
struct stack_list distinct_stacks_take(struct distinct_stacks *stacks);

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

/* The groups of callers. */
struct unfolded_groups {
	const uint32_t *rows;   /* by callers: the row in the next two arrays */
	const uint32_t *frames; /* of each row, one for each grouping level */
	const bool *is_java;
};

void unfold(const struct unfolding *unfolding, const struct resolved *resolved,
	    const struct unfolded_groups *groups, struct distinct_stacks *stacks);

#endif
