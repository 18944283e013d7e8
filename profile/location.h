/* SPDX-License-Identifier: MIT */
/*
 * Distinct places in code, the only thing symbols are looked up for: (module, address) pairs,
 * each named once however many samples pass through it.
 *
 *     raw stacks ── address space at that time ──▶ locations ── symbolise ──▶ names ──▶ frames
 */
#ifndef PROFILE_LOCATION_H
#define PROFILE_LOCATION_H

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"
#include "profile/module.h"

typedef struct {
	uint32_t i;
} location_id;

/* Of no place at all. */
#define LOCATION_NONE ((location_id){ UINT32_MAX })

struct location {
	module_id module;
	/* In the module's own terms: an offset into the file for MODULE_FILE and MODULE_VDSO, the
	 * address as it ran for all others. */
	uint64_t address;
	/* A return address: the call, one byte before, is what is to be named. */
	bool is_return;

	/* Filled by symbolise. */
	bool is_named;
	str_id name;           /* for display: demangled, suffixes folded; empty when unnamed */
	uint64_t symbol_start; /* in the same terms as address */
};

struct locations {
	VEC(struct location) rows;
	struct idtable table;
};

void locations_init(struct locations *locations);
void locations_deinit(struct locations *locations);

/* The id of this place, added when new. */
location_id locations_intern(struct locations *locations, module_id module, uint64_t address,
			     bool is_return);

#endif
