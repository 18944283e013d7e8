/* SPDX-License-Identifier: MIT */
/*
 * A trie's nodes as frames, and the children of each in order of their ranks:
 *
 *     places    node ─▶ frame, first of its children in:
 *     children  rank,node  rank,node  rank,node ...
 *
 * Each worker's trie is put in order by itself; trie_tree.h then walks over all at once.
 */
#ifndef PROFILE_TREE_TRIE_ORDER_H
#define PROFILE_TREE_TRIE_ORDER_H

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

static inline uint32_t trie_child_rank(uint64_t child)
{
	return (uint32_t)(child >> 32);
}

static inline uint32_t trie_child_node(uint64_t child)
{
	return (uint32_t)child;
}

/* Fills all but trie and roots, which are there. locations: by text of the trie. */
void trie_order_make(struct trie_order *order, const struct frames *frames,
		     const uint32_t *locations);
void trie_order_deinit(struct trie_order *order);

#endif
