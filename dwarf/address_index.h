/* SPDX-License-Identifier: MIT */
/*
 * Reads .debug_aranges, which most compilers write. This section lists the address ranges of each
 * unit's code. Only units that are needed then have to be read.
 *
 *     set      length | version | unit offset | sizes | padding | start size | start size | 0 0
 *
 * A unit with an empty set has no code. If a unit has no set, the ranges in the unit itself are used. Format: DWARF 5, section 6.1.2.
 */
#ifndef DWARF_ADDRESS_INDEX_H
#define DWARF_ADDRESS_INDEX_H

#include "base/span.h"
#include "base/vec.h"

/* Maximum number of address ranges of all units in one file. Chromium has several million. */
#define LIMIT_DWARF_RANGES (1u << 25)

struct indexed_range {
	uint64_t start, end;  /* equal if the unit has no code */
	uint64_t unit_offset; /* in .debug_info */
};

struct address_index {
	VEC(struct indexed_range) ranges; /* sorted by unit and start */
};

/* Fills an empty index from the section. Stops at the first corrupt set. */
void address_index_read(struct address_index *index, struct span section);
void address_index_deinit(struct address_index *index);

#endif
