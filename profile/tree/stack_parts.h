/* SPDX-License-Identifier: MIT */
/*
 * Merges the resolved stacks of all workers. Processes map the same code at different addresses, so
 * there are far fewer distinct stacks than distinct callchains. If callchains hardly repeat, they
 * are therefore resolved early, and only their stacks are kept.
 *
 *     worker 0: callchains ─resolve─▶ stacks ─┐            ┌─▶ part 0 ─┐
 *     worker 1: callchains ─resolve─▶ stacks ─┴─ by hash ──┴─▶ part 1 ─┴─▶ tree
 *
 * The hash of the callers selects the part, so different parts are filled in parallel.
 */
#ifndef PROFILE_TREE_STACK_PARTS_H
#define PROFILE_TREE_STACK_PARTS_H

#include "profile/resolve.h"

/* A part of many callers still fits into the cache of a CPU. */
#define STACK_PARTS_COUNT 128

struct hashed_callers {
	uint64_t hash;
	uint32_t row;
};

/* The callers of a worker, ordered by part. */
struct hashed_stacks {
	const struct resolved *from;
	VEC(struct hashed_callers) rows;
	size_t firsts[STACK_PARTS_COUNT + 1];
	VEC(uint64_t) hashes; /* scratch: of all callers */
};

/* A stack of a part. */
struct stack_part_row {
	location_id leaf;
	uint32_t callers; /* row of its callers */
	uint64_t sample_count;
	uint64_t period_sum;
};

/* A stack of a worker that is looked up in a part. */
struct stack_wanted {
	uint64_t hash;
	const struct resolved_stack *stack;
	uint32_t callers; /* row in the part */
};

struct stack_part {
	struct resolved rows;              /* only callers and frames */
	VEC(struct stack_part_row) stacks; /* in order of appearance */
	struct idtable callers_ids, stack_ids;
	VEC(struct stack_wanted) wanted;
};

void stack_part_init(struct stack_part *part);
void stack_part_deinit(struct stack_part *part);

void hashed_stacks_deinit(struct hashed_stacks *hashed);

/*
 * Hashes the callers of a worker, which must remain until they have been added. Workers must have
 * the same locations and values.
 */
void hashed_stacks_set(struct hashed_stacks *hashed, const struct resolved *from);

/* Adds the stacks of a worker that belong to part number `index`. */
void stack_part_add(struct stack_part *part, uint32_t index, const struct hashed_stacks *hashed);

/*
 * Moves all stacks to ret, grouped by their callers. renumbered: the final ids of locations.
 * ret must be empty.
 */
void stack_part_take(struct stack_part *part, const location_id *renumbered, struct resolved *ret);

#endif
