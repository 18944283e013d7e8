/* SPDX-License-Identifier: MIT */
/*
 * The union of several trees. Rows are matched by aligned name, and each capture has a column of
 * weights:
 *
 *     before          after             union         before  after
 *      main 5          main 8            main             5      8     (self)
 *       parse.cold 2    parse 3           parse           2      3
 *       old 1           new 4             new             -      4
 *                                         old             1      -
 *
 * Alignment can change the order of rows, so nodes are looked up by parent and name, and sorted at
 * the end. Most nodes are at the same position as in the first capture, so lookups try this
 * position first.
 */
#ifndef DIFF_DIFF_TREE_H
#define DIFF_DIFF_TREE_H

#include "base/idtable.h"
#include "diff/align/diff_frames.h"
#include "diff/dispersion.h"

struct diff_node {
	uint32_t parent; /* a node */
	uint32_t frame;
	uint32_t end; /* in the first capture: one past the last node below it; 0 if unknown */
};

/* Exact sums of functions in a column that lacks stacks, by frame of the union. */
struct diff_known {
	uint32_t column;
	size_t frame_count;
	struct function_sum *sums;
	bool *has_total; /* by frame: whether total is known; joining functions makes it unknown */
};

typedef VEC(struct diff_known) diff_known_list;

struct diff_tree {
	struct profile *profile; /* the union; its stacks are made last */
	struct diff_frames frames;
	uint32_t column_count;
	VEC(struct diff_node) nodes; /* the root first, parents before children */
	VEC(uint64_t) self;          /* column_count numbers per node */
	binned_weights binned;       /* weights of captures with time bins; rows are nodes */
	uint32_t time_bin_count;     /* number of time bins of these captures together */
	diff_known_list known;
	struct idtable ids; /* nodes by parent and frame */
	uint32_t id_count;  /* nodes in ids */
};

/* The profile must be initialised and empty. */
void diff_tree_init(struct diff_tree *tree, struct profile *profile,
		    const struct diff_alignment *alignment, uint32_t column_count);

/* Adds the stacks of a profile to a column. */
void diff_tree_add(struct diff_tree *tree, const struct profile *from, uint32_t column,
		   bool is_before);

/*
 * Whether exact sums of functions can be used for a capture that lacks stacks. They cannot be used
 * if functions are ignored, because the sums do not show which callers get the callees of ignored
 * functions.
 */
static inline bool diff_run_has_exact(const struct profile *from,
				      const struct diff_alignment *alignment)
{
	return from->exact.functions.count && alignment->key == DIFF_KEY_FUNCTION &&
	       !alignment->ignored;
}

/* Drops columns to which no capture was added. */
void diff_tree_keep_columns(struct diff_tree *tree, uint32_t column_count);

void diff_known_deinit(diff_known_list *known);

/*
 * Changes the frames of nodes. Must be called after the last capture has been added:
 *
 *     to                         app;old;x 3             app;new;x 7
 *     old -> new                 app;new;x 4      ->
 *     inlined -> DIFF_FRAME_NONE app;inlined;y 1         app;y 1
 *
 * to: by frame, the frame that replaces it, or DIFF_FRAME_NONE to drop it from stacks. A frame that
 * replaces others must be mapped to itself. Unused frames are removed, so frames are renumbered.
 */
void diff_tree_remap(struct diff_tree *tree, const uint32_t *to);

/* Computes totals from the self weights of rows. Both arrays have `columns` numbers per row. */
void diff_tree_sum(const struct profile *profile, const uint64_t *self, uint64_t *total,
		   size_t columns);

/*
 * Writes the rows to profile->stacks, without weights. Returns the weights, with column_count
 * numbers per row, and the weights by time bin, in the order of rows. The caller frees all weights
 * and tree->known; the rest of the tree is freed.
 */
void diff_tree_finish(struct diff_tree *tree, uint64_t **self_ret, uint64_t **total_ret,
		      binned_weights *binned_ret);

#endif
