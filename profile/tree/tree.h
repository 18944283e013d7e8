/* SPDX-License-Identifier: MIT */
/*
 * Makes profile->stacks in order, row after row: the rows from the root to where the last stack
 * ended are open, and each gets its end when something comes that is not below it.
 *
 *     all ─ app ─ main ─ parse        open: 4 rows; next comes "app;main;write": parse is closed
 */
#ifndef PROFILE_TREE_TREE_H
#define PROFILE_TREE_TREE_H

#include "profile/profile.h"

struct tree {
	struct profile *profile;
	VEC(uint32_t) open; /* rows, the root first */
};

/* Begins with the root; profile->stacks is empty. */
void tree_init(struct tree *tree, struct profile *profile);

/* Closes what is open, sums up the totals, and frees the tree; the profile keeps its stacks. */
void tree_finish(struct tree *tree);

/* Closes rows until only this many are open. */
void tree_close(struct tree *tree, size_t open_count);

/* Opens a row below the innermost open one. */
struct stack *tree_open(struct tree *tree, uint32_t frame);

#endif
