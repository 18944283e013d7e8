/* SPDX-License-Identifier: MIT */
/*
 * The index of a package of split debug information (.dwp): which range of each section belongs to
 * a unit. Format: DWARF 5, section 7.3.5.3, and the GNU extension before it (version 2).
 */
#ifndef DWARF_PACKAGE_INDEX_H
#define DWARF_PACKAGE_INDEX_H

#include <stdint.h>

#include "base/span.h"
#include "dwarf/reading_budget.h"

/* The sections of a package that are read. A unit has a range in each section that it uses. */
enum package_section {
	PACKAGE_INFO,
	PACKAGE_ABBREV,
	PACKAGE_LINE,
	PACKAGE_STR_OFFSETS,
	PACKAGE_RNGLISTS,
	PACKAGE_SECTION_COUNT,
};

struct package_range {
	uint32_t offset, size_bytes;
};

/*
 * Finds the unit with the id number in .debug_cu_index. Sections that the unit does not use get
 * size 0. Returns false if the unit is missing, or if the search exceeds the budget.
 */
bool package_index_find(struct span index, uint64_t number, struct reading_budget *budget,
			struct package_range ranges[static PACKAGE_SECTION_COUNT]);

#endif
