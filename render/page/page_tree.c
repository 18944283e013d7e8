/* SPDX-License-Identifier: MIT */
#include "render/page/page_parts.h"

#include <stdlib.h>

#include "base/arithmetic.h"

/* Maximum number of cells, which need about 4 MB of a page. */
#define CELLS_MAX 3000000u

#define NONE UINT32_MAX

static int compare_cells(const void *a, const void *b)
{
	const struct stack_bin *left = a;
	const struct stack_bin *right = b;

	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	if (left->time_bin != right->time_bin)
		return left->time_bin < right->time_bin ? -1 : 1;
	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

/*
 * Adds up the cells of the same row and time bin, which are adjacent. Returns the number of cells
 * left.
 */
static size_t sum_cells(struct stack_bin *cells, size_t cell_count)
{
	size_t count = 0;

	for (size_t i = 0; i < cell_count; i++) {
		if (count && compare_cells(&cells[count - 1], &cells[i]) == 0)
			cells[count - 1].weight += cells[i].weight;
		else if (cells[i].weight)
			cells[count++] = cells[i];
	}
	return count;
}

static void sort_cells(struct page_cells *cells)
{
	if (cells->count)
		qsort(cells->at, cells->count, sizeof(*cells->at), compare_cells);
	cells->count = sum_cells(cells->at, cells->count);
}

/* Merges pairs of time bins until there are at most CELLS_MAX cells. */
static void limit_cells(struct page_cells *cells)
{
	while (cells->count > CELLS_MAX && cells->bin_count > 1) {
		for (size_t i = 0; i < cells->count; i++)
			cells->at[i].time_bin /= 2;
		cells->count = sum_cells(cells->at, cells->count);
		cells->bin_ns *= 2;
		cells->bin_count = (cells->bin_count + 1) / 2;
	}
}

static void copy_rows(struct page_tree *tree)
{
	const struct stack *stacks = tree->profile->stacks.at;

	tree->count = tree->profile->stacks.count;
	tree->rows = memory_zalloc(tree->count + 1, sizeof(*tree->rows));
	for (size_t i = 0; i < tree->count; i++)
		tree->rows[i] = (struct page_row){
			.parent = stacks[i].parent,
			.depth = stacks[i].depth,
			.frame = stacks[i].frame.i,
			.self = { [DIFF_AFTER] = stacks[i].self },
			.total = { [DIFF_AFTER] = stacks[i].total },
		};
}

void page_tree_init(struct page_tree *tree, const struct profile *profile)
{
	struct page_cells *cells = &tree->cells[DIFF_AFTER];

	*tree = (struct page_tree){ .profile = profile };
	copy_rows(tree);
	if (!profile->time_bin_count || !profile->bin_ns)
		return;
	*cells = (struct page_cells){
		.at = memory_alloc(profile->stack_bins.count + 1, sizeof(*cells->at)),
		.count = profile->stack_bins.count,
		.first_ns = profile->first_bin_ns,
		.bin_ns = profile->bin_ns,
		.bin_count = profile->time_bin_count,
	};
	if (cells->count)
		memcpy(cells->at, profile->stack_bins.at, cells->count * sizeof(*cells->at));
	sort_cells(cells);
	limit_cells(cells);
}

static void add_cells(struct page_tree *tree, size_t run)
{
	const struct diff *diff = tree->diff;
	const struct diff_run *from = &diff->runs.at[run];
	struct page_cells *cells = &tree->cells[from->side];

	if (!from->bin_ns)
		return;
	*cells = (struct page_cells){
		.at = memory_alloc(diff->kept.binned.count + 1, sizeof(*cells->at)),
		.first_ns = from->first_bin_ns,
		.bin_ns = from->bin_ns,
		.bin_count = from->bin_count,
	};
	for (size_t i = 0; i < diff->kept.binned.count; i++) {
		const struct binned_weight *binned = &diff->kept.binned.at[i];

		if (binned->run == run)
			cells->at[cells->count++] = (struct stack_bin){
				.row = binned->row,
				.time_bin = binned->time_bin,
				.weight = binned->weight,
			};
	}
	sort_cells(cells);
	limit_cells(cells);
}

void page_tree_init_diff(struct page_tree *tree, const struct diff *diff)
{
	*tree = (struct page_tree){ .profile = &diff->profile, .diff = diff };
	copy_rows(tree);
	for (size_t i = 0; i < tree->count; i++)
		for (int side = 0; side < DIFF_SIDES; side++) {
			tree->rows[i].self[side] = diff->rows[i].self.weight[side];
			tree->rows[i].total[side] = diff->rows[i].total.weight[side];
		}
	if (diff->runs.count != DIFF_SIDES)
		return;
	for (size_t run = 0; run < diff->runs.count; run++)
		add_cells(tree, run);
}

void page_tree_deinit(struct page_tree *tree)
{
	memory_free(tree->rows);
	for (int side = 0; side < DIFF_SIDES; side++)
		memory_free(tree->cells[side].at);
}

/* The larger of the two sides' totals, at the scale of the AFTER side. */
static uint64_t weight_of(const struct page_tree *tree, const struct page_row *row)
{
	uint64_t before = tree->diff ? diff_scaled(tree->diff, row->total[DIFF_BEFORE]) : 0;

	return before > row->total[DIFF_AFTER] ? before : row->total[DIFF_AFTER];
}

static int compare_weights(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left < right) - (left > right);
}

/* Finds the weight that at most row_count rows exceed. */
static uint64_t limit_of(const struct page_tree *tree, size_t row_count)
{
	uint64_t *weights = memory_alloc(tree->count, sizeof(*weights));
	uint64_t limit;

	for (size_t i = 0; i < tree->count; i++)
		weights[i] = weight_of(tree, &tree->rows[i]);
	qsort(weights, tree->count, sizeof(*weights), compare_weights);
	limit = weights[row_count];
	memory_free(weights);
	return limit;
}

/* Adds the row that represents left-out rows, as the next row. */
static uint32_t add_marker(struct page_tree *tree, struct page_row *rows, size_t *count,
			   uint32_t parent)
{
	rows[*count] = (struct page_row){
		.parent = parent,
		.depth = rows[parent].depth + 1,
		.frame = (uint32_t)tree->profile->frames.count,
	};
	return (uint32_t)(*count)++;
}

static void add_to(struct page_row *marker, const struct page_row *row)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		marker->self[side] = saturate_add(marker->self[side], row->self[side]);
		marker->total[side] = saturate_add(marker->total[side], row->self[side]);
	}
}

static void note_left_out(struct page_tree *tree, const struct page_row *row)
{
	struct page_left_out *left_out = &tree->left_out;
	uint64_t weight = weight_of(tree, row);

	left_out->rows++;
	if (weight > left_out->self_max)
		left_out->self_max = weight;
	for (int side = 0; side < DIFF_SIDES; side++)
		left_out->weight[side] = saturate_add(left_out->weight[side], row->self[side]);
}

/* Marks kept rows that have a left-out child. */
static bool *find_parents(const struct page_tree *tree, uint64_t limit)
{
	bool *has_marker = memory_zalloc(tree->count, sizeof(*has_marker));

	for (size_t i = 1; i < tree->count; i++) {
		uint32_t parent = tree->rows[i].parent;
		bool has_parent = !parent || weight_of(tree, &tree->rows[parent]) > limit;

		has_marker[parent] |= has_parent && weight_of(tree, &tree->rows[i]) <= limit;
	}
	return has_marker;
}

/* Cells of left-out rows become cells of their markers. */
static void move_cells(struct page_tree *tree, const uint32_t *moved)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		struct page_cells *cells = &tree->cells[side];

		for (size_t i = 0; i < cells->count; i++)
			cells->at[i].row = moved[cells->at[i].row];
		sort_cells(cells);
	}
}

void page_tree_prune(struct page_tree *tree, size_t row_count)
{
	uint64_t limit = row_count < tree->count ? limit_of(tree, row_count) : 0;
	bool *has_marker = limit ? find_parents(tree, limit) : NULL;
	struct page_row *rows;
	uint32_t *moved, *marker_of;
	size_t count = 0;

	if (!limit)
		return;
	/*
	 * By old row: `moved` contains the new row, and `marker_of` the marker below it (NONE if
	 * there is none).
	 */
	rows = memory_zalloc(2 * tree->count, sizeof(*rows));
	moved = memory_alloc(tree->count, sizeof(*moved));
	marker_of = memory_alloc(tree->count, sizeof(*marker_of));
	for (size_t i = 0; i < tree->count; i++) {
		const struct page_row *row = &tree->rows[i];

		if (i && weight_of(tree, row) <= limit) {
			marker_of[i] = marker_of[row->parent];
			moved[i] = marker_of[i];
			add_to(&rows[moved[i]], row);
			note_left_out(tree, row);
			continue;
		}
		moved[i] = (uint32_t)count;
		rows[count] = *row;
		rows[count++].parent = i ? moved[row->parent] : 0;
		marker_of[i] = has_marker[i] ? add_marker(tree, rows, &count, moved[i]) : NONE;
	}
	move_cells(tree, moved);
	memory_free(has_marker);
	memory_free(moved);
	memory_free(marker_of);
	memory_free(tree->rows);
	tree->rows = rows;
	tree->count = count;
}
