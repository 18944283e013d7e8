/* SPDX-License-Identifier: MIT */
/*
 * Numbers distinct places in code, which are pairs of module and address, in the order in which
 * they are found. The locations of a profile (profile/location.h) are such places with their names.
 *
 *     libc.so.6+0x29d90 (return) ──hash──▶ 17
 */
#ifndef PROCESS_PLACE_H
#define PROCESS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idtable.h"
#include "base/vec.h"
#include "process/module.h"

struct place {
	module_id module;
	bool is_return; /* address is a return address */
	uint64_t address;
};

struct places {
	VEC(struct place) rows;
	struct idtable table;
};

void places_init(struct places *places);
void places_deinit(struct places *places);

/* Returns the number of a place; adds it if it is new. */
uint32_t places_intern(struct places *places, const struct place *wanted);

/*
 * Like places_intern, for several places at once, so that the cache misses of the lookups overlap.
 * Sets numbers[0..count).
 */
void places_intern_all(struct places *places, const struct place *wanted, size_t count,
		       uint32_t *numbers);

/* The module, and whether the address is a return address. */
static inline uint32_t place_kind(const struct place *place)
{
	return place->module.i << 1 | place->is_return;
}

uint64_t place_hash(const struct place *place);

#endif
