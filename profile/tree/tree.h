/* SPDX-License-Identifier: MIT */
/*
 * Builds profile->stacks row by row in preorder, for input that is a tree or in time order already. The path
 * from the root to the last row is open; a row gets its end when a row outside its subtree follows.
 *
 *     all ─ app ─ main ─ parse        4 rows are open; before "app;main;write", parse is closed
 */
#ifndef PROFILE_TREE_TREE_H
#define PROFILE_TREE_TREE_H

#include "profile/profile.h"

struct tree {
	struct profile *profile;
	VEC(uint32_t) open; /* rows from the root */
};

/* Begins with the root row; profile->stacks must be empty. */
void tree_init(struct tree *tree, struct profile *profile);

/* Closes all rows, adds up totals and frees the tree; the profile keeps its stacks. */
void tree_finish(struct tree *tree);

/* Closes rows until only open_count are open. */
void tree_close(struct tree *tree, size_t open_count);

/* Adds a row below the last open one. */
struct stack *tree_open(struct tree *tree, uint32_t frame);

#endif
