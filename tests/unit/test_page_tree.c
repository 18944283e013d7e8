/* SPDX-License-Identifier: MIT */
#include "render/page/page_parts.h"

#include <criterion/criterion.h>

#include "tests/support/profile_maker.h"

/* The rows of a tree as text: "main:1 parse:80 ~:3"; ~ stands for rows that are left out. */
static const char *rows_text(const struct page_tree *tree, char *text, size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 1; i < tree->count; i++) {
		const struct page_row *row = &tree->rows[i];
		struct text name = { "~", 1 };

		if (row->frame < tree->profile->frames.count)
			name = profile_frame_name(tree->profile, (frame_id){ row->frame });
		cr_expect_eq(row->depth, tree->rows[row->parent].depth + 1);
		length += (size_t)snprintf(text + length, size - length, "%s%.*s:%llu",
					   i > 1 ? " " : "", (int)name.length, name.at,
					   (unsigned long long)row->self[DIFF_AFTER]);
	}
	return text;
}

static void make(struct profile_maker *maker)
{
	profile_maker_init(maker);
	profile_maker_stack(maker, "app;main", 2);
	profile_maker_stack(maker, "app;main;parse", 70);
	profile_maker_stack(maker, "app;main;parse;trim", 3);
	profile_maker_stack(maker, "app;main;parse;trim;strip", 1);
	profile_maker_stack(maker, "app;main;read", 6);
	profile_maker_stack(maker, "app;main;write", 5);
	profile_maker_build(maker, NULL);
}

/* One row below each parent stands for all rows that were left out there; no weight is lost. */
Test(page_tree, prune)
{
	struct profile_maker maker;
	struct page_tree tree;
	char text[200];

	make(&maker);
	page_tree_init(&tree, &maker.profile);
	cr_assert_str_eq(rows_text(&tree, text, sizeof(text)),
			 "app:0 main:2 parse:70 trim:3 strip:1 read:6 write:5");
	page_tree_prune(&tree, 4);
	cr_expect_str_eq(rows_text(&tree, text, sizeof(text)), "app:0 main:2 ~:11 parse:70 ~:4");
	cr_expect_eq(tree.left_out.rows, 4);
	cr_expect_eq(tree.left_out.weight[DIFF_AFTER], 15);
	cr_expect_eq(tree.left_out.self_max, 6);
	page_tree_deinit(&tree);
	profile_maker_deinit(&maker);
}

Test(page_tree, nothing_to_prune)
{
	struct profile_maker maker;
	struct page_tree tree;

	make(&maker);
	page_tree_init(&tree, &maker.profile);
	page_tree_prune(&tree, 100);
	cr_expect_eq(tree.count, maker.profile.stacks.count);
	cr_expect_eq(tree.left_out.rows, 0);
	page_tree_deinit(&tree);
	profile_maker_deinit(&maker);
}

/*
 * The cells of rows that are left out go to the row that stands for them: one cell for each time
 * bin.
 */
Test(page_tree, prune_moves_cells)
{
	struct profile_maker maker;
	struct page_tree tree;
	const struct page_cells *cells = &tree.cells[DIFF_AFTER];

	make(&maker);
	maker.profile.bin_ns = 10;
	maker.profile.time_bin_count = 2;
	for (uint32_t row = 1; row < maker.profile.stacks.count; row++)
		vec_push(&maker.profile.stack_bins,
			 (struct stack_bin){ .row = row,
					     .time_bin = 1,
					     .weight = maker.profile.stacks.at[row].self });
	page_tree_init(&tree, &maker.profile);
	page_tree_prune(&tree, 4);
	cr_assert_eq(cells->count, 4);
	for (size_t i = 0; i < cells->count; i++) {
		cr_expect_eq(cells->at[i].time_bin, 1);
		cr_expect_eq(cells->at[i].weight, tree.rows[cells->at[i].row].self[DIFF_AFTER]);
	}
	page_tree_deinit(&tree);
	profile_maker_deinit(&maker);
}
