/* SPDX-License-Identifier: MIT */
/*
 * Visits the entries (DIEs) below one entry, in the order of the file. Each step moves forward, so
 * the walk always ends, even in a corrupt file.
 */
#ifndef DWARF_DIE_WALK_H
#define DWARF_DIE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "dwarf/abbreviations.h"
#include "dwarf/debug_image.h"
#include "dwarf/reading_budget.h"

struct unit_entries {
	struct abbreviations abbreviations;
	struct span bytes; /* the whole unit */
	struct reading_budget *budget;
	const unsigned char *table; /* start of the table in `abbreviations` */
};

struct die_walk {
	const struct unit_entries *unit;
	Dwarf_Die current;
	const struct abbreviation *row; /* abbreviation of the current entry */
	unsigned depth;                 /* depth of the current entry; 0 means the root */
	struct span rest;               /* the bytes after the values of the current entry */
	/* offset of the current entry's sibling in the unit; 0 if unknown */
	uint64_t sibling;
	bool is_damaged;
};

/* The budget is borrowed. */
void unit_entries_init(struct unit_entries *entries, struct reading_budget *budget);
void unit_entries_deinit(struct unit_entries *entries);

/*
 * Forgets the abbreviations, because the same memory may be reused for the abbreviations of another
 * unit.
 */
void unit_entries_forget(struct unit_entries *entries);

/*
 * Reads the unit of an image that contains an entry, replacing the previous one. Returns false if
 * the unit is corrupt or exceeds the budget.
 */
bool unit_entries_read(struct unit_entries *entries, const struct debug_image *image,
		       Dwarf_Die *die) WARN_UNUSED;

/* Starts at an entry of the unit; unit is borrowed. */
void die_walk_init(struct die_walk *walk, const struct unit_entries *unit, const Dwarf_Die *root);

/*
 * Moves to the next entry. If `enters` is set, the next entry is the first child of the current
 * entry, if there is one. Otherwise, the walk skips the children of the current entry. Returns
 * false after the last entry below the root.
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
