/* SPDX-License-Identifier: MIT */
/*
 * Merges the stacks that workers have resolved, and gives all workers the same locations. Workers
 * keep their stacks until these take much memory:
 *
 *     worker 0: stacks of some rounds ─┐
 *     worker 1: stacks of some rounds ─┴─ merge ──▶ parts ─┬─ take ──▶ lists of stacks, locations
 *     workers: stacks of the last rounds ──────────────────┘
 */
#ifndef PROFILE_TREE_STACK_MERGER_H
#define PROFILE_TREE_STACK_MERGER_H

#include "profile/tree/location_parts.h"
#include "profile/tree/stack_parts.h"

struct stack_merger {
	struct resolved **workers; /* borrowed structs */
	size_t worker_count;
	unsigned thread_count;
	struct location_parts locations;
	struct hashed_stacks *hashed; /* by worker */
	struct stack_part parts[STACK_PARTS_COUNT];
	bool has_parts;          /* stacks have been merged */
	location_id *renumbered; /* the final ids of locations, while stacks are taken */
	struct resolved *lists;  /* the result, while stacks are taken */
};

/* Workers must be set with stack_merger_set_worker. */
void stack_merger_init(struct stack_merger *merger, size_t worker_count, unsigned thread_count);
void stack_merger_deinit(struct stack_merger *merger);

void stack_merger_set_worker(struct stack_merger *merger, size_t worker, struct resolved *resolved);

/*
 * Merges the stacks of all workers if these take at least this much memory. Otherwise, they need
 * not be merged, because equal stacks are added up once their frames are known.
 */
void stack_merger_merge(struct stack_merger *merger, size_t size_bytes);

/*
 * Moves all stacks to lists, and their locations to `locations`, which must be empty. Returns the
 * number of lists, which is at most STACK_PARTS_COUNT. Empties the workers.
 */
size_t stack_merger_take(struct stack_merger *merger, struct locations *locations,
			 struct resolved *lists);

#endif
