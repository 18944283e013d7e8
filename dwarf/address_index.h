/* SPDX-License-Identifier: MIT */
/*
 * The index of addresses (.debug_aranges) that most compilers write: the code of each unit, by the
 * unit's place in .debug_info. With it only the units that are needed have to be looked at.
 *
 *     set      length | version | unit's place | sizes | padding | start size | start size | 0 0
 *     ranges   every start and size of code there is, with the unit's place, in the file's order
 *
 * A unit whose set is empty has no code. One that has no range here otherwise says itself where its code
 * is, as debuggers have it. Format: DWARF 5, section 6.1.2.
 */
#ifndef DWARF_ADDRESS_INDEX_H
#define DWARF_ADDRESS_INDEX_H

#include "base/span.h"
#include "base/vec.h"

struct indexed_range {
	uint64_t start, end;  /* equal: this unit has no code */
	uint64_t unit_offset; /* in .debug_info */
};

struct address_index {
	VEC(struct indexed_range) ranges; /* by unit and start */
};

/* Fills an empty index with what the section says, up to where it is damaged. */
void address_index_read(struct address_index *index, struct span section);
void address_index_deinit(struct address_index *index);

#endif
