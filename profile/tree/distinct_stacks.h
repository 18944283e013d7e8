/* SPDX-License-Identifier: MIT */
/*
 * Distinct stacks as arrays of frames, for each time bin. Different callchains become one stack if they
 * differ only in addresses within functions.
 *
 *     frames 4 9 7, weight 3 ─┐
 *     frames 4 9 7, weight 5 ─┴─hash──▶ row: frames 4 9 7, weight 8
 */
#ifndef PROFILE_TREE_DISTINCT_STACKS_H
#define PROFILE_TREE_DISTINCT_STACKS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "profile/tree/stack_sort.h"

struct distinct_stacks {
	struct arena arena; /* of frames */
	struct idtable ids;
	struct stack_list rows; /* in order of first appearance */
};

void distinct_stacks_init(struct distinct_stacks *stacks);
void distinct_stacks_deinit(struct distinct_stacks *stacks);

/* Adds the counts of a stack to its equal, or a copy of it if it is new. hash is of its frames. */
void distinct_stacks_add(struct distinct_stacks *stacks, const struct sorted_stack *stack,
			 uint64_t hash);

/* Moves the rows to the caller; their frames stay here. No stacks may be added afterwards. */
struct stack_list distinct_stacks_take(struct distinct_stacks *stacks);

#endif
