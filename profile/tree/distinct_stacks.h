/* SPDX-License-Identifier: MIT */
/*
 * Stacks as runs of frames, each once per time bin however many raw chains led to it: the same code
 * at other addresses, other instructions of one function.
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
	struct arena arena; /* of the rows' frames */
	struct idtable ids;
	struct stack_list rows; /* in the order of first appearance */
};

void distinct_stacks_init(struct distinct_stacks *stacks);
void distinct_stacks_deinit(struct distinct_stacks *stacks);

/* Adds a stack's counts to those of its equal, or a copy of all of it. hash is of its frames. */
void distinct_stacks_add(struct distinct_stacks *stacks, const struct sorted_stack *stack,
			 uint64_t hash);

/* The rows, which become the caller's; their frames stay where they are. Nothing is added any more. */
struct stack_list distinct_stacks_take(struct distinct_stacks *stacks);

#endif
