/* SPDX-License-Identifier: MIT */
/*
 * The tree that flamegraph.pl and inferno-flamegraph make from folded stacks. Both tools sort whole
 * lines as bytes, and merge each line with the previous line. One frame in kiln may therefore be
 * two adjacent frames in their trees:
 *
 *     a;foo 10
 *     a;foo2;x 10          "a;foo2" sorts between "a;foo " and "a;foo;": foo is drawn twice
 *     a;foo;y 10
 *
 * If a line has two counts, the second is the weight. The difference of the two belongs to the
 * leaf, provided that this line begins the leaf's frame.
 */
#ifndef PROFILE_TREE_FLAMEGRAPH_TREE_H
#define PROFILE_TREE_FLAMEGRAPH_TREE_H

#include "base/input.h"
#include "profile/profile.h"
#include "profile/selection/selection.h"

struct flamegraph_tree_options {
	bool is_reversed;    /* reverse each stack before lines are sorted */
	bool keeps_order;    /* keep lines in input order: a flame chart */
	bool is_last_first;  /* with keeps_order: the last line comes first */
	bool marks_wakers;   /* append _[w] to frames after the first ";--;" */
	bool skips_comments; /* ignore empty lines and lines that begin with "# " */
	/* inferno's rules: trim lines and stacks, skip empty stacks, keep empty frames at the
	 * end, drop decimals. */
	bool is_inferno;
	/*
	 * Start stacks at the outermost of these frames, and skip stacks without such a frame.
	 * inferno starts at the innermost of these frames that is neither the first nor the last
	 * frame of the stack, and only if lines are sorted and not reversed.
	 */
	const name_patterns *bases; /* NULL or empty: keep all stacks whole */
};

struct flamegraph_tree {
	struct profile profile; /* its unit is UNIT_SAMPLES or UNIT_MILLIONTHS */
	uint64_t ignored_count; /* malformed lines */
	uint64_t cut_count;     /* counts whose decimals were dropped */
};

/* Reads several inputs as one. */
bool flamegraph_tree_read(struct flamegraph_tree *tree, const char *const *paths, size_t path_count,
			  const struct flamegraph_tree_options *options,
			  struct error *err) WARN_UNUSED;

/* Like flamegraph_tree_read, for one open input. */
bool flamegraph_tree_read_input(struct flamegraph_tree *tree, const struct input *input,
				const struct flamegraph_tree_options *options,
				struct error *err) WARN_UNUSED;

void flamegraph_tree_deinit(struct flamegraph_tree *tree);

#endif
