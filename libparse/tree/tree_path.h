/* SPDX-License-Identifier: MIT */
/*
 * The path from the root of a call tree to the line that was read last. The path has copies of the
 * texts of its nodes, so it outlives the window of the input.
 *
 *     a          path: a
 *      b         path: a b
 *       c        path: a b c
 *      d         path: a d
 */
#ifndef LIBPARSE_TREE_TREE_PATH_H
#define LIBPARSE_TREE_TREE_PATH_H

#include "base/strings.h"
#include "base/vec.h"

struct tree_node {
	uint64_t count; /* free for use by the reader; tree_path does not use it */
	size_t begin;   /* start of the node's text in `bytes` */
	uint32_t length;
};

struct tree_path {
	VEC(struct tree_node) nodes; /* the root first */
	VEC(char) bytes;
	VEC(struct text) frames; /* the texts of all nodes */
	/*
	 * The number of leading nodes that have not changed since the last call of
	 * tree_path_frames.
	 */
	size_t shared_count;
};

void tree_path_deinit(struct tree_path *path);

/* Appends a node below the last node. Copies the text. */
void tree_path_push(struct tree_path *path, struct text text, uint64_t count);

/* Removes the last node. The path must have at least one node. */
void tree_path_pop(struct tree_path *path);

/* The text of a node; valid until the next call of tree_path_push. */
struct text tree_path_text(const struct tree_path *path, size_t index);

/*
 * The texts of the nodes from `first` on, the outermost first. The result has nodes.count - first
 * texts. The texts are valid until the next call that changes the path.
 */
const struct text *tree_path_frames(struct tree_path *path, size_t first);

/*
 * Maximum length of the name of a root. Each sample below the root repeats this name. Names of
 * threads and programs are much shorter.
 */
#define LIMIT_TREE_ROOT_BYTES 1024u

#endif
