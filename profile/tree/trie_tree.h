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
#include "profile/tree/trie_order.h"

struct trie_tree_options {
	uint32_t group_count;
	bool counts_samples; /* rows weigh as many samples as there are, not their periods */
};

/* Makes profile->stacks of tries in order. New frames are made where nodes of different ones meet. */
void trie_tree_build(struct profile *profile, struct frames *frames,
		     const struct trie_order *orders, size_t order_count,
		     const struct trie_tree_options *options);

#endif
