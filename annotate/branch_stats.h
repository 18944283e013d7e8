/* SPDX-License-Identifier: MIT */
/*
 * Counts taken branches (perf record -b) by source and target, and the basic blocks between them. A
 * block runs from the target of one branch to the source of the next:
 *
 *     recorded, newest first   e▶f   c▶d   a▶b
 *     branches                 a▶b   c▶d   e▶f       taken, mispredicted
 *     blocks                      b...c d...e        run, cycles
 *
 * With each branch, CPUs record the cycles since the previous branch, which are the cycles of the
 * block between the two.
 */
#ifndef ANNOTATE_BRANCH_STATS_H
#define ANNOTATE_BRANCH_STATS_H

#include "libparse/event.h"
#include "profile/location.h"

/*
 * The longest block of code between two taken branches. Longer blocks are not counted, because they
 * contain a branch that was not recorded.
 */
#define LIMIT_BLOCK_BYTES (64u << 10)

/* One branch, or one block from its first to its last instruction. */
struct branch_sum {
	location_id from, to;
	uint64_t count;
	uint64_t judged_count; /* branches for which the CPU recorded whether they were predicted */
	uint64_t mispredicted_count;
	uint64_t cycle_count; /* branches or blocks whose cycles are known */
	uint64_t cycles;
};

struct branch_sums {
	VEC(struct branch_sum) rows;
	struct idtable table;
};

struct branch_stats {
	struct branch_sums branches, blocks;
	uint64_t sample_count;
	uint64_t incomplete_count; /* branches whose source or target was not recorded */
	uint64_t unresolved_count; /* samples not counted: they have branches in excluded code */
};

void branch_stats_init(struct branch_stats *stats);
void branch_stats_deinit(struct branch_stats *stats);

/*
 * Adds the branches of a sample. `places` contains the target and then the source of each complete
 * branch, newest first.
 */
void branch_stats_add(struct branch_stats *stats, const struct event_sample *sample,
		      const location_id *places, const struct locations *locations);

#endif
