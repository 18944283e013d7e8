/* SPDX-License-Identifier: MIT */
/*
 * Makes profile->stacks, the rows of a prefix tree in preorder. The depths of rows define the tree;
 * parents, ends and totals are computed once all rows exist:
 *
 *     depth    0     1     2      3       3          all ─ app ─ main ─┬─ parse
 *     frame    all   app   main   parse   write                        └─ write
 *
 * There are three ways to add rows: one by one, for input that is already a tree; stack by stack in
 * any order, for flame charts; or from an array of sorted stacks, on several threads.
 */
#ifndef PROFILE_TREE_STACK_TREE_H
#define PROFILE_TREE_STACK_TREE_H

#include "profile/frames.h"
#include "profile/tree/stack_sort.h"
#include "profile/tree/trie.h"

/*
 * Adds a row in preorder; the first row is the root, with depth 0. The returned pointer is valid
 * until the next row is added.
 */
struct stack *stack_tree_add_row(struct profile *profile, uint32_t depth, uint32_t frame);

/* Completes the rows: computes parents, ends and totals from depths and self weights. */
void stack_tree_finish(struct profile *profile);

/* Stacks in time order; consecutive stacks share rows. */
struct stack_tree_chart {
	struct profile *profile;
	VEC(uint32_t) open;     /* rows of the last stack, from the root */
	uint64_t weight_before; /* weight of all stacks so far */
};

/* Adds the root row; profile->stacks must be empty. */
void stack_tree_chart_init(struct stack_tree_chart *chart, struct profile *profile);
void stack_tree_chart_deinit(struct stack_tree_chart *chart);

/*
 * Adds the weight of a stack. Adds rows, and their profile->begins, for the frames that this stack
 * does not share with the last stack.
 */
void stack_tree_chart_add(struct stack_tree_chart *chart, const uint32_t *frames, uint32_t count,
			  uint64_t weight);

/*
 * The next stack begins at `begin`. The next stack shares at most `depth` rows with the last stack,
 * not counting the root.
 */
void stack_tree_chart_move(struct stack_tree_chart *chart, uint64_t begin, uint32_t depth);

/*
 * Makes all rows, and profile->stack_bins if samples are binned by time. Each thread makes the rows
 * of a run of stacks:
 *
 *     stacks   a;b;c   a;b;d │ a;b;e   a;f          a stack only needs new rows for frames that it
 *     rows       1 2 3      4│      5     6         does not share with the previous one; counting these
 *                            │                      first tells each run where its rows begin
 *
 * If frames differ but have the same rank, their rows are merged, and a new frame stands for both.
 */
void stack_tree_build(struct profile *profile, struct frames *frames,
		      const struct sorted_stack *stacks, size_t count, unsigned thread_count);

/*
 * Builds the same tree from several tries in one walk: trie_tree.c. A row combines all nodes of one
 * name whose parents belong to the same row.
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
	uint32_t frame; /* not set for roots */
	uint32_t begin; /* index of its first child in trie_order.children */
};

struct trie_order {
	const struct trie *trie;
	VEC(struct trie_root_frames) roots; /* by root */
	struct trie_place *places;          /* by node, with an additional one at the end */
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

/*
 * Makes profile->stacks. If frames differ but have the same name, their rows are merged, and a new
 * frame stands for both.
 */
void trie_tree_build(struct profile *profile, struct frames *frames,
		     const struct trie_order *orders, size_t order_count,
		     const struct trie_tree_options *options);

#endif
