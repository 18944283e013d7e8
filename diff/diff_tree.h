/* SPDX-License-Identifier: MIT */
/*
 * The union of several trees, each a column, by what functions are called:
 *
 *     before          after             union         before  after
 *      main 5          main 8            main             5      8     (self)
 *       parse.cold 2    parse 3           parse           2      3
 *       old 1           new 4             new             -      4
 *                                         old             1      -
 *
 * Names that become the same when they are aligned move rows about, so rows are found by parent and
 * name, and put in order when all are there. Most stand where the first capture has them: there they
 * are looked for first, and a table of all is made only for a row that is not.
 */
#ifndef DIFF_DIFF_TREE_H
#define DIFF_DIFF_TREE_H

#include "base/idtable.h"
#include "diff/dispersion.h"
#include "diff/align/diff_frames.h"

struct diff_node {
	uint32_t parent; /* a node */
	uint32_t frame;
	uint32_t
		end; /* one past the last node on this, and itself, in the first capture; 0: not known */
};

/* What functions of a column come to, where it lacks some of its stacks: by frame of the union. */
struct diff_known {
	uint32_t column;
	size_t frame_count;
	struct function_sum *sums;
	bool *has_total; /* it is one function, or one name: totals of several may overlap */
};

typedef VEC(struct diff_known) diff_known_list;

struct diff_tree {
	struct profile *profile;   /* what is made: strings, modules, frames, and at last stacks */
	struct diff_frames frames; /* of the captures, in the union */
	uint32_t column_count;
	VEC(struct diff_node) nodes; /* the root first, parents before children */
	VEC(uint64_t) self;          /* column_count for each node */
	binned_weights parts;        /* of the captures that have blocks of time; rows are nodes */
	uint32_t time_bin_count;     /* of those captures together */
	diff_known_list known;
	struct idtable ids; /* of the first nodes, by parent and frame */
	uint32_t id_count;  /* how many of them are in it */
};

/* profile is initialised and empty. */
void diff_tree_init(struct diff_tree *tree, struct profile *profile,
		    const struct diff_alignment *alignment, uint32_t column_count);

/* Adds a profile's stacks to a column, which is one of the side before or after. */
void diff_tree_add(struct diff_tree *tree, const struct profile *from, uint32_t column,
		   bool is_before);

/* Whether functions of a capture that lacks stacks are known in all; with names ignored, what these called is their
 * callers', and is not. */
static inline bool diff_run_has_exact(const struct profile *from,
				      const struct diff_alignment *alignment)
{
	return from->exact.functions.count && alignment->key == DIFF_KEY_FUNCTION &&
	       !alignment->ignored;
}

/* After the last capture: of the columns only the first, to which captures were added, are left. */
void diff_tree_keep_columns(struct diff_tree *tree, uint32_t column_count);

void diff_known_deinit(diff_known_list *known);

/*
 * Puts the rows into profile->stacks, whose weights stay 0, and their weights into arrays of
 * column_count numbers a row, and what they weigh in blocks of time into parts, in the order of rows;
 * all of them, and tree->known, are the caller's to free. Frees the tree.
 */
void diff_tree_finish(struct diff_tree *tree, uint64_t **self_ret, uint64_t **total_ret,
		      binned_weights *parts_ret);

#endif
