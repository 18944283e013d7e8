/* SPDX-License-Identifier: MIT */
/*
 * The tree out of sorted stacks, made by several threads, each of which makes the rows of a run of them:
 *
 *     stacks   a;b;c   a;b;d │ a;b;e   a;f          what a stack has in common with the one before
 *     rows       1 2 3      4│      5     6         it needs no new rows: so they are counted first,
 *                            │                      and each run knows where its own begin
 *
 * Rows that are open where a run begins, as a and b are, are those of earlier runs. What it has for
 * them, weights and where they end, is put by and added when all runs are done.
 */
#ifndef PROFILE_TREE_STACK_TREE_H
#define PROFILE_TREE_STACK_TREE_H

#include "profile/frames.h"
#include "profile/tree/stack_sort.h"

/*
 * Makes profile->stacks, and profile->stack_bins if samples are binned by time. New frames are made where stacks meet whose
 * frames have the same rank but are different ones.
 */
void stack_tree_build(struct profile *profile, struct frames *frames,
		      const struct sorted_stack *stacks, size_t count, unsigned thread_count);

#endif
