/* SPDX-License-Identifier: MIT */
/*
 * What of one side is compared with something of another name on the other side, and what the two sides cannot be
 * compared by. Whatever is matched by more than its name is listed here, and outputs print it.
 */
#ifndef DIFF_ALIGN_DIFF_ALIGNED_H
#define DIFF_ALIGN_DIFF_ALIGNED_H

#include "base/strings.h"
#include "base/vec.h"
#include "diff/diff_scale.h"

enum diff_pair_kind {
	DIFF_PAIR_ROOT,   /* threads of one role: diff/align/diff_roots.h */
	DIFF_PAIR_ALIAS,  /* spellings of one function: diff/align/diff_alias.h */
	DIFF_PAIR_RENAME, /* functions with alike callers and callees: diff/align/diff_renamed.h */
	DIFF_PAIR_LIKELY, /* the same, but they are not compared with each other */
	DIFF_PAIR_KINDS,
};

struct diff_pair {
	enum diff_pair_kind kind;
	str_id names[DIFF_SIDES]; /* in the union's strings */
	str_id shown;             /* what both are called in the comparison */
	double score;             /* 0 to 1: how alike they are */
};

struct diff_aligned {
	VEC(struct diff_pair) pairs;
	bool folds_inlined; /* into their callers, as only inlined_side has inlined functions */
	enum diff_side inlined_side;
	bool lacks_kernel; /* only kernel_side has kernel functions */
	enum diff_side kernel_side;
	bool has_other_depth;     /* stacks of the same functions are not equally deep */
	double depth[DIFF_SIDES]; /* on average */
};

/* How many pairs of a kind there are. */
static inline size_t diff_aligned_count(const struct diff_aligned *aligned,
					enum diff_pair_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < aligned->pairs.count; i++)
		count += aligned->pairs.at[i].kind == kind;
	return count;
}

#endif
