/* SPDX-License-Identifier: MIT */
/*
 * The units of debug information, and the address ranges of their code:
 *
 *     ranges, by address   | unit 3 |  | unit 1 | unit 3 |     | unit 2 |
 *                                   gap: no unit
 *
 * The ranges come from .debug_aranges. If a unit is missing in .debug_aranges, its ranges come from
 * the unit itself.
 */
#ifndef DWARF_UNITS_H
#define DWARF_UNITS_H

#include <elfutils/libdw.h>

#include "dwarf/address_index.h"
#include "dwarf/debug_image.h"
#include "dwarf/inline_table.h"
#include "dwarf/reading_budget.h"

struct unit {
	Dwarf_Off offset; /* offset of the unit's DIE */
	bool has_ranges;
};

struct unit_range {
	uint64_t start, end;
	uint32_t unit;
};

struct units {
	Dwarf *dwarf;
	const struct debug_image *image;
	struct reading_budget *budget;
	VEC(struct unit) rows;
	VEC(struct unit_range) ranges; /* ascending */
};

#define UNIT_NONE UINT32_MAX

/*
 * Counts the work of opening a unit. libdw reads the unit's table of abbreviations up to the
 * abbreviation of its DIE. Returns false if the work exceeds the budget, or if the unit is corrupt.
 */
bool units_spend(const struct debug_image *image, Dwarf_Off entry, Dwarf_Off table,
		 struct reading_budget *budget);

/* Fills an empty struct. image: the image from which dwarf was opened. The image and the budget
 * are borrowed. */
void units_read(struct units *units, Dwarf *dwarf, const struct debug_image *image,
		const struct address_index *index, struct reading_budget *budget);
void units_deinit(struct units *units);

/*
 * The unit that contains an address. If no unit contains the address, returns UNIT_NONE, and sets
 * *gap_ret to the gap that contains the address.
 */
uint32_t units_find(const struct units *units, uint64_t address, struct inline_range *gap_ret);

/* Reads the DIE of a unit. Returns false if the DIE is corrupt. */
bool units_entry(const struct units *units, uint32_t unit, Dwarf_Die *ret);

#endif
