/* SPDX-License-Identifier: MIT */
/*
 * Numbers the places of all workers together. Each part numbers its own places, so different parts
 * are filled in parallel. These numbers depend on the number of workers; the final ones do not.
 *
 *     worker 0: places ─┐            ┌─▶ part 0: 0 16 32 … ─┐
 *     worker 1: places ─┴─ by hash ──┴─▶ part 1: 1 17 33 … ─┴─ sorted ──▶ locations
 */
#ifndef PROFILE_TREE_LOCATION_PARTS_H
#define PROFILE_TREE_LOCATION_PARTS_H

#include "process/place.h"
#include "profile/location.h"

#define LOCATION_PARTS_COUNT 16

struct location_part {
	struct places places;
	VEC(uint32_t) rows; /* of the new places of all workers, in the order of the workers */
};

/* What is known of a worker's places. */
struct location_worker {
	const struct places *own;
	struct location_list ids;            /* common ids, by number of the place */
	VEC(unsigned char) parts;            /* of the places that have no id yet */
	size_t firsts[LOCATION_PARTS_COUNT]; /* of its rows in each part */
};

struct location_parts {
	struct location_part at[LOCATION_PARTS_COUNT];
	struct location_worker *workers;
	size_t worker_count;
};

void location_parts_init(struct location_parts *parts, size_t worker_count);
void location_parts_deinit(struct location_parts *parts);

/*
 * In each round, the next three functions give common ids to the new places of all workers. Each
 * step may run in parallel, after the step before has ended.
 */

/* Divides the new places of one worker into parts. own must remain until location_parts_number. */
void location_parts_divide(struct location_parts *parts, size_t worker, const struct places *own);

/* Numbers the new places in one part. */
void location_parts_number(struct location_parts *parts, size_t part);

/*
 * Returns the common ids of all places of one worker. The caller may change the elements after the
 * last round.
 */
struct location_list *location_parts_collect(struct location_parts *parts, size_t worker);

/*
 * Moves all places to locations, which must be empty, sorted by module, kind and address. Returns
 * their final ids, indexed by common id; the caller frees them with memory_free.
 */
location_id *location_parts_take(struct location_parts *parts, struct locations *locations,
				 unsigned thread_count);

#endif
