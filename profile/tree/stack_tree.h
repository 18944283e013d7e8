/* SPDX-License-Identifier: MIT */
/*
 * Builds the tree from sorted stacks with several threads; each makes the rows of a run of stacks. Serial
 * building is one run:
 *
 *     stacks   a;b;c   a;b;d │ a;b;e   a;f          a stack needs new rows only for frames that it
 *     rows       1 2 3      4│      5     6         does not share with the one before; counting these
 *                            │                      first tells each run where its rows begin
 *
 * Rows that are open where a run begins, such as a and b, belong to earlier runs. What the run adds to them,
 * weights and ends, is added when all runs are done.
 */
#ifndef PROFILE_TREE_STACK_TREE_H
#define PROFILE_TREE_STACK_TREE_H

#include "profile/frames.h"
#include "profile/tree/stack_sort.h"

/*
 * Makes profile->stacks, and profile->stack_bins if samples are binned by time. Different frames of the same
 * rank share a row, which gets a new frame for both.
 */
void stack_tree_build(struct profile *profile, struct frames *frames,
		      const struct sorted_stack *stacks, size_t count, unsigned thread_count);

#endif
