/* SPDX-License-Identifier: MIT */
/*
 * Defines which names are compared with each other: the options, and the matches between different
 * names. All outputs except folded stacks report these matches.
 */
#ifndef DIFF_ALIGN_DIFF_ALIGNMENT_H
#define DIFF_ALIGN_DIFF_ALIGNMENT_H

#include <regex.h>

#include "base/strings.h"
#include "base/vec.h"
#include "diff/align/diff_name.h"
#include "diff/diff_scale.h"

/* The keys of rows of a comparison. */
enum diff_key {
	DIFF_KEY_FUNCTION,
	DIFF_KEY_MODULE,
	DIFF_KEY_GROUP, /* comm, or another grouping; functions are ignored */
	DIFF_KEY_LINE,
};

/* Renamed functions, from --rename FILE. */
struct diff_renames {
	struct strings names;
	VEC(str_id) to; /* by str_id of the old name: the new name; empty: not renamed */
};

struct diff_alignment {
	enum diff_naming naming;
	enum diff_key key;
	diff_name_demangler *demangle;      /* if NULL, names stay mangled */
	const regex_t *ignored;             /* functions to omit from stacks; NULL if none */
	const struct diff_renames *renames; /* NULL if none */
	/* match different spellings of a name, and fold inlined functions that only one side has */
	bool mends;
	bool pairs_roots;     /* pair threads with the same role but different names */
	bool finds_renames;   /* list functions that look renamed */
	bool applies_renames; /* compare functions that look renamed, if their score is high */
};

enum diff_pair_kind {
	DIFF_PAIR_ROOT,   /* threads with the same role */
	DIFF_PAIR_ALIAS,  /* spellings of one function */
	DIFF_PAIR_RENAME, /* renamed: similar callers and callees */
	DIFF_PAIR_LIKELY, /* possibly renamed; listed, not compared */
	DIFF_PAIR_KINDS,
};

struct diff_pair {
	enum diff_pair_kind kind;
	str_id names[DIFF_SIDES]; /* in the union's strings */
	str_id shown;             /* the name that the comparison shows for both */
	double score;             /* similarity, 0 to 1 */
};

struct diff_aligned {
	VEC(struct diff_pair) pairs;
	bool folds_inlined; /* only inlined_side has inlined functions; these are folded */
	enum diff_side inlined_side;
	bool lacks_kernel; /* only kernel_side has kernel functions */
	enum diff_side kernel_side;
	bool has_other_depth;     /* stacks of the same functions differ in depth */
	double depth[DIFF_SIDES]; /* mean depth */
};

static inline size_t diff_aligned_count(const struct diff_aligned *aligned,
					enum diff_pair_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < aligned->pairs.count; i++)
		count += aligned->pairs.at[i].kind == kind;
	return count;
}

#endif
