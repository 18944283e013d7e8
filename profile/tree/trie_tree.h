/* SPDX-License-Identifier: MIT */
/*
 * The tree of all stacks out of several tries, by one walk over all of them. A row is a set of nodes:
 * those of the same name on the nodes of its parent.
 *
 *     trie 1   main ─┬─ parse        trie 2   main ─── parse        rows  main       {1, 2}
 *                    └─ write                                              parse     {1, 2}
 *                                                                          write     {1}
 */
#ifndef PROFILE_TREE_TRIE_TREE_H
#define PROFILE_TREE_TRIE_TREE_H

#include "profile/profile.h"
#include "profile/frames.h"
#include "profile/tree/trie.h"

/* A stack's frames from the root up to the trie's root are groups; the rest are nodes. */
struct trie_root_frames {
	const uint32_t *groups;              /* frames, as many as the grouping has levels */
	const struct frame_run *of_location; /* for the nodes on it */
	bool is_shown;
};

/* What a node is in the tree. */
struct trie_place {
	uint32_t frame; /* of roots nothing */
	uint32_t begin; /* of its children */
};

struct trie_order {
	const struct trie *trie;
	VEC(struct trie_root_frames) roots; /* by root */
	struct trie_place *places;          /* by node, and one more */
	uint64_t *children;
};

/* Completes an order that has its trie and roots. locations: by text of the trie. */
void trie_order_make(struct trie_order *order, const struct frames *frames,
		     const uint32_t *locations);
void trie_order_deinit(struct trie_order *order);

struct trie_tree_options {
	uint32_t group_count;
	bool counts_samples; /* rows weigh as many samples as there are, not their periods */
};

/* Makes profile->stacks of tries in order. New frames are made where nodes of different ones meet. */
void trie_tree_build(struct profile *profile, struct frames *frames,
		     const struct trie_order *orders, size_t order_count,
		     const struct trie_tree_options *options);

#endif
