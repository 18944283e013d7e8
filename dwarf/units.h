/* SPDX-License-Identifier: MIT */
/*
 * The units of debug information and the code each of them is of:
 *
 *     ranges, by address   | unit 3 |  | unit 1 | unit 3 |     | unit 2 |
 *                                   gap: no unit's
 *
 * Built from the index of addresses, and for units it does not speak of from what they say themselves:
 * not all compilers write one.
 */
#ifndef DWARF_UNITS_H
#define DWARF_UNITS_H

#include <elfutils/libdw.h>

#include "dwarf/address_index.h"
#include "dwarf/inline_table.h"

struct unit {
	Dwarf_Off offset; /* of its entry */
	bool has_ranges;
};

struct unit_range {
	uint64_t start, end;
	uint32_t unit;
};

struct units {
	Dwarf *dwarf;
	VEC(struct unit) rows;
	VEC(struct unit_range) ranges; /* ascending */
};

#define UNIT_NONE UINT32_MAX

/* Fills empty units. */
void units_read(struct units *units, Dwarf *dwarf, const struct address_index *index);
void units_deinit(struct units *units);

/* The unit whose code an address is; else UNIT_NONE and where there is no unit's code around it. */
uint32_t units_find(const struct units *units, uint64_t address, struct inline_range *gap_ret);

/* The entry of a unit; false: there is none. */
bool units_entry(const struct units *units, uint32_t unit, Dwarf_Die *ret);

#endif
