/* SPDX-License-Identifier: MIT */
#include "annotate/branch_stats.h"

#include <criterion/criterion.h>

/* The location at an address of a module. */
static location_id at(struct locations *locations, uint32_t module, uint64_t address)
{
	return locations_intern(locations, (module_id){ module }, address, false);
}

static const struct branch_sum *find(const struct branch_sums *sums, location_id from,
				     location_id to)
{
	for (size_t i = 0; i < sums->rows.count; i++)
		if (sums->rows.at[i].from.i == from.i && sums->rows.at[i].to.i == to.i)
			return &sums->rows.at[i];
	return NULL;
}

Test(branch_stats, blocks_are_between_neighbours)
{
	/* Newest first; the third branch has no target. */
	const struct event_branch branches[] = {
		{ .from = 0x130, .to = 0x100, .cycles = 7, .is_predicted = true },
		{ .from = 0x150, .to = 0x120, .is_mispredicted = true },
		{ .from = 0x170 },
		{ .from = 0x130, .to = 0x100, .cycles = 2 },
		{ 0 },
	};
	struct event_sample sample = { .branches = branches, .branch_count = ARRAY_SIZE(branches) };
	const struct branch_sum *row;
	struct branch_stats stats;
	struct locations locations;

	locations_init(&locations);
	branch_stats_init(&stats);
	{
		const location_id places[] = {
			at(&locations, 0, 0x100), at(&locations, 0, 0x130),
			at(&locations, 0, 0x120), at(&locations, 0, 0x150),
			at(&locations, 0, 0x100), at(&locations, 0, 0x130),
		};

		branch_stats_add(&stats, &sample, places, &locations);
		cr_expect_eq(stats.sample_count, 1);
		cr_expect_eq(stats.incomplete_count, 1);
		cr_expect_eq(stats.branches.rows.count, 2);
		row = find(&stats.branches, places[1], places[0]);
		cr_assert(row);
		cr_expect_eq(row->count, 2);
		cr_expect_eq(row->judged_count, 1);
		cr_expect_eq(row->mispredicted_count, 0);
		cr_expect_eq(row->cycles, 9);
		cr_expect_eq(row->cycle_count, 2);
		row = find(&stats.branches, places[3], places[2]);
		cr_assert(row);
		cr_expect_eq(row->mispredicted_count, 1);
		cr_expect_eq(row->cycle_count, 0);
		/* The block reaches from the target of the second branch to the source of the
		 * first, and has the cycles of the first. */
		cr_expect_eq(stats.blocks.rows.count, 1);
		row = find(&stats.blocks, places[2], places[1]);
		cr_assert(row);
		cr_expect_eq(row->cycles, 7);
	}
	branch_stats_deinit(&stats);
	locations_deinit(&locations);
}

/* If the source is before the target, or in another module, a branch between them is missing. */
Test(branch_stats, no_blocks_across_modules_or_backwards)
{
	static const struct {
		uint32_t module;
		uint64_t target, source;
		size_t count;
	} rows[] = {
		{ 0, 0x100, 0x100, 1 },
		{ 1, 0x100, 0x140, 0 },
		{ 0, 0x100, 0xf0, 0 },
		{ 0, 0x100, 0x100 + LIMIT_BLOCK_BYTES, 1 },
		{ 0, 0x100, 0x101 + LIMIT_BLOCK_BYTES, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event_branch branches[] = {
			{ .from = rows[i].source, .to = 0x1 },
			{ .from = 0x2, .to = rows[i].target },
		};
		struct event_sample sample = { .branches = branches, .branch_count = 2 };
		struct branch_stats stats;
		struct locations locations;

		locations_init(&locations);
		branch_stats_init(&stats);
		branch_stats_add(
			&stats, &sample,
			(const location_id[]){ at(&locations, 0, 0x1),
					       at(&locations, rows[i].module, rows[i].source),
					       at(&locations, 0, rows[i].target),
					       at(&locations, 0, 0x2) },
			&locations);
		cr_expect_eq(stats.blocks.rows.count, rows[i].count, "row %zu", i);
		branch_stats_deinit(&stats);
		locations_deinit(&locations);
	}
}
