/* SPDX-License-Identifier: MIT */
/*
 * The entries (DIEs) below one of debug information, in the order of the file. Each comes behind the one
 * before, so the walk ends whatever is in the file.
 */
#ifndef DWARF_DIE_WALK_H
#define DWARF_DIE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/limits.h"
#include "dwarf/abbreviations.h"

/* A unit's entries as they lie in memory. */
struct unit_entries {
	struct abbreviations abbreviations;
	struct entry_sizes sizes;
	struct span bytes; /* from the unit's beginning to its end */
};

struct die_walk {
	const struct unit_entries *unit;
	Dwarf_Die current;
	const struct abbreviation *row; /* of the current entry */
	unsigned depth;                 /* of the current one; 0: the root */
	struct span rest;               /* of the unit, behind the current entry's values */
	uint64_t sibling;               /* of the current entry, in the unit; 0: not known */
	bool is_damaged;
};

void unit_entries_init(struct unit_entries *entries);
void unit_entries_deinit(struct unit_entries *entries);

/* Replaces what is there by the unit an entry is of. False: it is damaged. */
bool unit_entries_read(struct unit_entries *entries, Dwarf_Die *die) WARN_UNUSED;

/* Begins at an entry of the unit, which has to stay. */
void die_walk_init(struct die_walk *walk, const struct unit_entries *unit, const Dwarf_Die *root);

/*
 * Goes to the next entry: inside the current one when enters is set and it has any, else behind it.
 * False: there is none below the root any more.
 */
bool die_walk_next(struct die_walk *walk, bool enters);

static inline Dwarf_Die *die_walk_current(struct die_walk *walk)
{
	return &walk->current;
}

static inline int die_walk_tag(const struct die_walk *walk)
{
	return (int)walk->row->tag;
}

#endif
