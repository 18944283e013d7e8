/* SPDX-License-Identifier: MIT */
/*
 * Maps 64-bit keys from a file to numbers. Lookups use binary search in sorted rows, so hostile
 * keys cannot make lookups slow. Keys may be added at any time. Rows are kept in sorted runs, and
 * only runs of similar length are merged:
 *
 *     rows   | 3 9 11 20 24 31 40 77 | 5 8 90 | 64 7 |
 *              run                     run      added since idmap_sort
 */
#ifndef BASE_IDMAP_H
#define BASE_IDMAP_H

#include <stdint.h>

#include "base/vec.h"

#define IDMAP_NONE UINT32_MAX

struct idmap_row {
	uint64_t key;
	uint32_t value;
};

struct idmap {
	VEC(struct idmap_row) rows;
	VEC(size_t) run_ends; /* row index of each run's end; each run is longer than the next */
};

void idmap_init(struct idmap *map);
void idmap_deinit(struct idmap *map);

void idmap_add(struct idmap *map, uint64_t key, uint32_t value);

/* Must be called after adding rows and before idmap_find. */
void idmap_sort(struct idmap *map);

/* The lowest value added for the key, or IDMAP_NONE. */
uint32_t idmap_find(const struct idmap *map, uint64_t key);

#endif
