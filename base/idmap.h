/* SPDX-License-Identifier: MIT */
/*
 * 64-bit keys that a file chose, to numbers of ours: sorted rows and bisection, which no choice of
 * keys makes slow. Keys may be added at any time; what was sorted before is not sorted again each
 * time, only runs of about equal length are joined:
 *
 *     rows   | 3 9 11 20 24 31 40 77 | 5 8 90 | 64 7 |
 *              run                     run      added since, found after idmap_sort
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
	VEC(size_t) run_ends; /* indexes of rows; each run is longer than the next */
};

void idmap_init(struct idmap *map);
void idmap_deinit(struct idmap *map);

void idmap_add(struct idmap *map, uint64_t key, uint32_t value);

/* Makes what was added since the last time be found. */
void idmap_sort(struct idmap *map);

/* The lowest value given for the key, or IDMAP_NONE. */
uint32_t idmap_find(const struct idmap *map, uint64_t key);

#endif
