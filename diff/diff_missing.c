/* SPDX-License-Identifier: MIT */
#include "diff/diff_missing.h"

#include "base/saturate.h"
#include "profile/missing.h"

#define ROW_NONE UINT32_MAX

/* A row weighs so many times more than what can be hidden to be taken for new. */
#define CERTAIN 2

/* Where a picture covers its root, other tools were not asked to drop more than this part of it. */
#define NARROW_DIVISOR 1000

/* A run that may hide rows. */
struct picture {
	size_t run;
	uint64_t largest; /* that a hidden row can weigh */
};

struct folding {
	struct diff *diff;
	size_t run_count;
	uint64_t *self, *total; /* by row and run */
	VEC(struct picture) pictures;
	uint32_t *mark; /* by row: the one on it that stands for what is missing */
	uint32_t *into; /* by row: where its weights go, itself if it is kept */
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

/* The narrowest row that is shown; in pictures not beyond what tools are asked to drop. */
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

/* How much a row that the picture does not show can weigh in it; its parent is shown. */
static uint64_t hidden(const struct folding *folding, const struct picture *picture,
		       uint32_t parent)
{
	uint32_t mark = folding->mark[parent];
	uint64_t weight = 0;

	if (mark != ROW_NONE)
		weight = total_of(folding, mark, picture->run);
	else if (folding->diff->runs.at[picture->run].lacks_narrow)
		weight = folding->self[parent * folding->run_count + picture->run];
	return weight < picture->largest ? weight : picture->largest;
}

/* Whether some run has a row that one of the pictures may hide. */
static bool is_hidden(const struct folding *folding, uint32_t row)
{
	const struct diff_run *runs = folding->diff->runs.at;
	uint32_t parent = union_of(folding)->stacks.at[row].parent;

	for (size_t i = 0; i < folding->pictures.count; i++) {
		const struct picture *picture = &folding->pictures.at[i];
		double share;
		bool is_heavier = false;

		if (total_of(folding, row, picture->run) ||
		    !total_of(folding, parent, picture->run))
			continue;
		share = (double)hidden(folding, picture, parent) / (double)runs[picture->run].total;
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

/* Drops rows that are folded into others, and sums up anew. into becomes by old row the new one. */
static void drop_rows(struct folding *folding)
{
	struct profile *profile = &folding->diff->profile;
	struct stack *stacks = profile->stacks.at;
	size_t runs = folding->run_count;
	size_t count = profile->stacks.count;
	uint32_t *moved = memory_alloc(count + 1, sizeof(*moved));
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		moved[i] = kept;
		kept += folding->into[i] == i;
	}
	moved[count] = kept;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = moved[i];

		if (folding->into[i] == i) {
			stacks[row] = stacks[i];
			stacks[row].parent = moved[stacks[i].parent];
			stacks[row].end = moved[stacks[i].end];
			memmove(folding->self + row * runs, folding->self + i * runs,
				runs * sizeof(*folding->self));
		}
		folding->into[i] = moved[folding->into[i]];
	}
	profile->stacks.count = kept;
	memory_free(moved);
	memcpy(folding->total, folding->self, kept * runs * sizeof(*folding->total));
	for (size_t row = kept; row-- > 1;) {
		uint64_t *parent = folding->total + stacks[row].parent * runs;

		for (size_t run = 0; run < runs; run++)
			parent[run] = saturate_add(parent[run], folding->total[row * runs + run]);
	}
}

static int compare_parts(const void *a, const void *b)
{
	const struct binned_weight *left = a;
	const struct binned_weight *right = b;

	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	if (left->column != right->column)
		return left->column < right->column ? -1 : 1;
	return (left->weight > right->weight) - (left->weight < right->weight);
}

static void move_parts(const struct folding *folding, binned_weights *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		parts->at[i].row = folding->into[parts->at[i].row];
	if (parts->count)
		qsort(parts->at, parts->count, sizeof(*parts->at), compare_parts);
}

void diff_missing_fold(struct diff *diff, uint64_t *self, uint64_t *total, binned_weights *parts)
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
			vec_push(&folding.pictures,
				 (struct picture){ run, largest_hidden(&folding, run) });
	}
	choose(&folding);
	for (uint32_t i = 0; i < diff->profile.stacks.count; i++)
		diff->is_folded |= folding.into[i] != i;
	move_weights(&folding);
	drop_rows(&folding);
	move_parts(&folding, parts);
	vec_free(&folding.pictures);
	memory_free(folding.mark);
	memory_free(folding.into);
}
