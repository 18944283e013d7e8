/* SPDX-License-Identifier: MIT */
/*
 * The units of debug information and the code each of them is of:
 *
 *     ranges, by address   | unit 3 |  | unit 1 | unit 3 |     | unit 2 |
 *                                   gap: no unit's
 *
 * Built from what units say of themselves; the index of addresses, which not all compilers write,
 * is not needed.
 */
#ifndef DWARF_UNITS_H
#define DWARF_UNITS_H

#include <elfutils/libdw.h>

#include "dwarf/inline_table.h"

struct unit {
	Dwarf_Die die;
	bool has_ranges;
};

struct unit_range {
	uint64_t start, end;
	uint32_t unit;
};

struct units {
	VEC(struct unit) rows;
	VEC(struct unit_range) ranges; /* ascending */
};

#define UNIT_NONE UINT32_MAX

/* Fills empty units. */
void units_read(struct units *units, Dwarf *dwarf);
void units_deinit(struct units *units);

/* The unit whose code an address is; else UNIT_NONE and where there is no unit's code around it. */
uint32_t units_find(const struct units *units, uint64_t address, struct inline_range *gap_ret);

#endif
