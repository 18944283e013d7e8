/* SPDX-License-Identifier: MIT */
#include "annotate/branch_stats.h"

#include "base/hash.h"
#include "profile/branch_callchain.h"

void branch_stats_init(struct branch_stats *stats)
{
	*stats = (struct branch_stats){ .sample_count = 0 };
	idtable_init(&stats->branches.table);
	idtable_init(&stats->blocks.table);
}

static void free_sums(struct branch_sums *sums)
{
	vec_free(&sums->rows);
	idtable_deinit(&sums->table);
}

void branch_stats_deinit(struct branch_stats *stats)
{
	free_sums(&stats->branches);
	free_sums(&stats->blocks);
}

static struct branch_sum *row_of(struct branch_sums *sums, location_id from, location_id to)
{
	uint64_t hash = hash_u64((uint64_t)from.i << 32 | to.i);
	struct idtable_probe probe = idtable_find(&sums->table, hash);
	uint32_t id;

	while ((id = idtable_next(&sums->table, &probe)) != IDTABLE_NONE)
		if (sums->rows.at[id].from.i == from.i && sums->rows.at[id].to.i == to.i)
			return &sums->rows.at[id];
	idtable_add(&sums->table, hash, (uint32_t)sums->rows.count);
	vec_push(&sums->rows, (struct branch_sum){ .from = from, .to = to });
	return &sums->rows.at[sums->rows.count - 1];
}

static void add_cycles(struct branch_sum *row, const struct event_branch *branch)
{
	row->cycle_count += branch->cycles > 0;
	row->cycles += branch->cycles;
}

static void add_branch(struct branch_stats *stats, const struct event_branch *branch,
		       location_id from, location_id to)
{
	struct branch_sum *row = row_of(&stats->branches, from, to);

	row->count++;
	row->judged_count += branch->is_mispredicted || branch->is_predicted;
	row->mispredicted_count += branch->is_mispredicted;
	add_cycles(row, branch);
}

/* newer: the branch that ends the block. */
static void add_block(struct branch_stats *stats, const struct event_branch *newer,
		      location_id first, location_id last, const struct locations *locations)
{
	const struct location *begin = &locations->rows.at[first.i];
	const struct location *end = &locations->rows.at[last.i];
	struct branch_sum *row;

	if (begin->module.i != end->module.i || end->address < begin->address ||
	    end->address - begin->address > LIMIT_BLOCK_BYTES)
		return;
	row = row_of(&stats->blocks, first, last);
	row->count++;
	add_cycles(row, newer);
}

void branch_stats_add(struct branch_stats *stats, const struct event_sample *sample,
		      const location_id *places, const struct locations *locations)
{
	const struct event_branch *newer = NULL;

	stats->sample_count++;
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		const struct event_branch *branch = &sample->branches[i];

		if (!branch_is_complete(branch)) {
			/* Unused entries of branches are zero. */
			stats->incomplete_count += branch->from || branch->to;
			newer = NULL;
			continue;
		}
		/* places[-1] is the source of the newer branch. */
		if (newer)
			add_block(stats, newer, places[0], places[-1], locations);
		add_branch(stats, branch, places[1], places[0]);
		newer = branch;
		places += 2;
	}
}
