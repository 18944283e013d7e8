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
#include "profile/tree/trie.h"

/*
 * Makes profile->stacks, and profile->stack_bins if samples are binned by time. Different frames of the same
 * rank share a row, which gets a new frame for both.
 */
void stack_tree_build(struct profile *profile, struct frames *frames,
		      const struct sorted_stack *stacks, size_t count, unsigned thread_count);

/*
 * Builds the same tree from several tries in one walk: trie_tree.c. A row is the set of nodes with the same
 * name below the nodes of its parent.
 *
 *     trie 1   main ─┬─ parse        trie 2   main ─── parse        rows  main       {1, 2}
 *                    └─ write                                              parse     {1, 2}
 *                                                                          write     {1}
 */

/* Group frames and variant of a root of the trie. */
struct trie_root_frames {
	const uint32_t *groups;              /* one frame for each level of the grouping */
	const struct frame_run *of_location; /* frames of locations below it */
	bool is_shown;
};

/* The frame of a node, and its children. */
struct trie_place {
	uint32_t frame; /* not for roots */
	uint32_t begin; /* of its children in trie_order.children */
};

struct trie_order {
	const struct trie *trie;
	VEC(struct trie_root_frames) roots; /* by root */
	struct trie_place *places;          /* by node, and one more */
	uint64_t *children;                 /* rank << 32 | node, sorted for each parent */
};

/* Completes an order that has its trie and roots. locations: by text of the trie. */
void trie_order_make(struct trie_order *order, const struct frames *frames,
		     const uint32_t *locations);
void trie_order_deinit(struct trie_order *order);

struct trie_tree_options {
	uint32_t group_count;
	bool counts_samples; /* weigh by samples, not by periods */
};

/* Makes profile->stacks. Different frames of the same name share a row, which gets a new frame for both. */
void trie_tree_build(struct profile *profile, struct frames *frames,
		     const struct trie_order *orders, size_t order_count,
		     const struct trie_tree_options *options);

#endif
