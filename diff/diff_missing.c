/* SPDX-License-Identifier: MIT */
#include "diff/diff_missing.h"

#include "base/arithmetic.h"
#include "profile/missing.h"
#include "profile/tree/stack_tree.h"

#define ROW_NONE UINT32_MAX

/*
 * A row counts as new if its weight exceeds that of the largest hidden row by more than this
 * factor.
 */
#define CERTAIN 2

/* Other tools usually drop frames narrower than this fraction of the root. */
#define NARROW_DIVISOR 1000

/* A run that may lack rows. */
struct partial_svg {
	size_t run;
	uint64_t largest; /* maximum weight of a hidden row */
};

struct folding {
	struct diff *diff;
	size_t run_count;
	uint64_t *self, *total; /* by row and run */
	VEC(struct partial_svg) svgs;
	uint32_t *mark; /* by row: the child that represents its missing stacks */
	uint32_t *into; /* by row: the row that gets its weights; itself if it is kept */
};

bool diff_missing_is_needed(const struct diff *diff)
{
	for (size_t i = 0; i < diff->runs.count; i++)
		if (diff->runs.at[i].lacks_left_out || diff->runs.at[i].lacks_narrow)
			return true;
	return false;
}

static const struct profile *union_of(const struct folding *folding)
{
	return &folding->diff->profile;
}

static uint64_t total_of(const struct folding *folding, uint32_t row, size_t run)
{
	return folding->total[row * folding->run_count + run];
}

static bool is_mark(const struct folding *folding, uint32_t row)
{
	return row && missing_is_frame(union_of(folding), union_of(folding)->stacks.at[row].frame);
}

static void find_marks(struct folding *folding)
{
	size_t count = union_of(folding)->stacks.count;

	folding->mark = memory_alloc(count, sizeof(*folding->mark));
	memset(folding->mark, 0xff, count * sizeof(*folding->mark));
	for (uint32_t i = 1; i < count; i++)
		if (is_mark(folding, i))
			folding->mark[union_of(folding)->stacks.at[i].parent] = i;
}

/*
 * Returns the weight of the narrowest row shown; for SVGs of other tools, at most the weight below
 * which those tools usually drop rows.
 */
static uint64_t largest_hidden(const struct folding *folding, size_t run)
{
	const struct diff_run *about = &folding->diff->runs.at[run];
	uint64_t largest = about->total;

	for (uint32_t i = 1; i < union_of(folding)->stacks.count; i++) {
		uint64_t total = total_of(folding, i, run);

		if (total && total < largest && !is_mark(folding, i))
			largest = total;
	}
	if (about->lacks_narrow) {
		uint64_t usual = about->total / NARROW_DIVISOR;

		if (usual < about->missing)
			usual = about->missing;
		if (usual < largest)
			largest = usual;
	}
	return largest;
}

/* Returns the largest possible weight of a row that the SVG hides below a parent that it shows. */
static uint64_t hidden(const struct folding *folding, const struct partial_svg *svg,
		       uint32_t parent)
{
	uint32_t mark = folding->mark[parent];
	uint64_t weight = 0;

	if (mark != ROW_NONE)
		weight = total_of(folding, mark, svg->run);
	else if (folding->diff->runs.at[svg->run].lacks_narrow)
		weight = folding->self[parent * folding->run_count + svg->run];
	return weight < svg->largest ? weight : svg->largest;
}

/* Whether one of the SVGs may hide this row. */
static bool is_hidden(const struct folding *folding, uint32_t row)
{
	const struct diff_run *runs = folding->diff->runs.at;
	uint32_t parent = union_of(folding)->stacks.at[row].parent;

	for (size_t i = 0; i < folding->svgs.count; i++) {
		const struct partial_svg *svg = &folding->svgs.at[i];
		double share;
		bool is_heavier = false;

		if (total_of(folding, row, svg->run) || !total_of(folding, parent, svg->run))
			continue;
		share = (double)hidden(folding, svg, parent) / (double)runs[svg->run].total;
		for (size_t run = 0; run < folding->run_count; run++)
			is_heavier |=
				(double)total_of(folding, row, run) / (double)runs[run].total >
				CERTAIN * share;
		if (!is_heavier)
			return true;
	}
	return false;
}

static void choose(struct folding *folding)
{
	const struct profile *profile = union_of(folding);
	size_t count = profile->stacks.count;

	folding->into = memory_alloc(count, sizeof(*folding->into));
	folding->into[0] = 0;
	for (uint32_t i = 1; i < count;) {
		const struct stack *stack = &profile->stacks.at[i];
		uint32_t mark = folding->mark[stack->parent];

		folding->into[i] = i;
		if (is_mark(folding, i) || !is_hidden(folding, i)) {
			i++;
			continue;
		}
		for (uint32_t end = stack->end; i < end; i++)
			folding->into[i] = mark != ROW_NONE ? mark : stack->parent;
	}
}

static void move_weights(struct folding *folding)
{
	size_t runs = folding->run_count;

	for (size_t i = 0; i < union_of(folding)->stacks.count; i++) {
		uint64_t *to = folding->self + folding->into[i] * runs;
		uint64_t *from = folding->self + i * runs;

		for (size_t run = 0; run < runs && to != from; run++) {
			to[run] = saturate_add(to[run], from[run]);
			from[run] = 0;
		}
	}
}

/*
 * Drops rows that are folded into other rows, and computes sums again. Afterwards, `into` maps old
 * rows to new rows.
 */
static void drop_rows(struct folding *folding)
{
	struct profile *profile = &folding->diff->profile;
	const struct stack *stacks = profile->stacks.at;
	size_t runs = folding->run_count;
	size_t count = profile->stacks.count;
	uint32_t *moved = memory_alloc(count, sizeof(*moved));

	profile->stacks.count = 0;
	for (size_t i = 0; i < count; i++) {
		size_t row = profile->stacks.count;

		if (folding->into[i] != i)
			continue;
		moved[i] = (uint32_t)row;
		memmove(folding->self + row * runs, folding->self + i * runs,
			runs * sizeof(*folding->self));
		stack_tree_add_row(profile, stacks[i].depth, stacks[i].frame.i);
	}
	stack_tree_finish(profile);
	for (size_t i = 0; i < count; i++)
		folding->into[i] = moved[folding->into[i]];
	memory_free(moved);
	diff_tree_sum(profile, folding->self, folding->total, runs);
}

static int compare_binned(const void *a, const void *b)
{
	const struct binned_weight *left = a;
	const struct binned_weight *right = b;

	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	if (left->column != right->column)
		return left->column < right->column ? -1 : 1;
	return (left->weight > right->weight) - (left->weight < right->weight);
}

static void move_binned(const struct folding *folding, binned_weights *binned)
{
	for (size_t i = 0; i < binned->count; i++)
		binned->at[i].row = folding->into[binned->at[i].row];
	if (binned->count)
		qsort(binned->at, binned->count, sizeof(*binned->at), compare_binned);
}

void diff_missing_fold(struct diff *diff, uint64_t *self, uint64_t *total, binned_weights *binned)
{
	struct folding folding = {
		.diff = diff,
		.run_count = diff->runs.count,
		.self = self,
		.total = total,
	};

	find_marks(&folding);
	for (size_t run = 0; run < diff->runs.count; run++) {
		const struct diff_run *about = &diff->runs.at[run];

		if (about->lacks_left_out || about->lacks_narrow)
			vec_push(&folding.svgs,
				 (struct partial_svg){ run, largest_hidden(&folding, run) });
	}
	choose(&folding);
	for (uint32_t i = 0; i < diff->profile.stacks.count; i++)
		diff->is_folded |= folding.into[i] != i;
	move_weights(&folding);
	drop_rows(&folding);
	move_binned(&folding, binned);
	vec_free(&folding.svgs);
	memory_free(folding.mark);
	memory_free(folding.into);
}
