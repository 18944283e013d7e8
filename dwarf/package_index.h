/* SPDX-License-Identifier: MIT */
/*
 * The index of a package of split debug information (.dwp): for each unit, by its number, which
 * stretch of each section is its own. As DWARF 5 has it in 7.3.5.3, and GNU tools before as version 2.
 */
#ifndef DWARF_PACKAGE_INDEX_H
#define DWARF_PACKAGE_INDEX_H

#include <stdint.h>

#include "base/span.h"

/* Sections units have stretches of, under names of ours. */
enum package_section {
	PACKAGE_INFO,
	PACKAGE_ABBREV,
	PACKAGE_LINE,
	PACKAGE_STR_OFFSETS,
	PACKAGE_RNGLISTS,
	PACKAGE_SECTION_COUNT,
};

struct package_stretch {
	uint32_t offset, size_bytes;
};

/* Finds the unit in the content of .debug_cu_index; sections it has nothing of get size 0. */
bool package_index_find(struct span index, uint64_t number,
			struct package_stretch stretches[static PACKAGE_SECTION_COUNT]);

#endif
