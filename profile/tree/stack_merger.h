/* SPDX-License-Identifier: MIT */
/*
 * Gives the resolved stacks of all workers the same locations, and adds up equal stacks if they
 * take much memory. The hash of its callers selects the part of a stack, and parts are added up in
 * parallel:
 *
 *     worker 0: main;parse 3  main;read 1 ─┐
 *     worker 1: main;parse 2               ├─▶ part 7: main;parse 7, which remains at one worker
 *     worker 2: main;parse 2  main;free 1 ─┘
 */
#ifndef PROFILE_TREE_STACK_MERGER_H
#define PROFILE_TREE_STACK_MERGER_H

#include "base/hash.h"
#include "profile/tree/location_parts.h"
#include "profile/tree/resolved.h"

/* The stacks of a part still fit into the cache of a CPU. */
#define STACK_PARTS_COUNT 128

/* The stacks of a worker, ordered by part. */
struct hashed_stacks {
	struct resolved *resolved;
	const location_id *ids;            /* common to all workers, by location of this worker */
	VEC(struct sequence_hash) callers; /* by node */
	VEC(uint64_t) keys;
	VEC(uint32_t) rows; /* of the stacks, by part */
	size_t firsts[STACK_PARTS_COUNT + 1];
};

struct stack_merger {
	struct resolved **workers; /* borrowed structs */
	size_t worker_count;
	unsigned thread_count;
	struct location_parts locations;
	struct hashed_stacks *hashed; /* by worker, during a merge */
	size_t merged_bytes;          /* the memory of all stacks after the last merge */
	location_id *renumbered;      /* the final ids of locations, while stacks are taken */
};

/* Workers must be set with stack_merger_set_worker. */
void stack_merger_init(struct stack_merger *merger, size_t worker_count, unsigned thread_count);
void stack_merger_deinit(struct stack_merger *merger);

void stack_merger_set_worker(struct stack_merger *merger, size_t worker, struct resolved *resolved);

/*
 * Adds up equal stacks of all workers if these take at least this much memory, and twice as much as
 * after the last merge. Returns whether it did; the nodes of callers have changed then. Otherwise,
 * it is not necessary, because equal stacks are added up once their frames are known.
 */
bool stack_merger_merge(struct stack_merger *merger, size_t size_bytes);

/*
 * Moves the locations of all workers to `locations`, which must be empty, and renumbers those of
 * their stacks.
 */
void stack_merger_finish(struct stack_merger *merger, struct locations *locations);

/* Instead of stack_merger_finish, if workers replaced their own locations: frees memory early. */
void stack_merger_end(struct stack_merger *merger);

#endif
