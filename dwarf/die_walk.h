/* SPDX-License-Identifier: MIT */
/*
 * The entries (DIEs) below one of debug information, in the order of the file. Entries of a damaged
 * file can contain themselves; as each comes behind the one before, the walk ends all the same.
 */
#ifndef DWARF_DIE_WALK_H
#define DWARF_DIE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/limits.h"

struct die_walk {
	Dwarf_Die path[LIMIT_DWARF_DEPTH]; /* the root, and so on down to the current */
	unsigned depth;                    /* of the current one; 0: the root */
	Dwarf_Off last;                    /* the offset of the one that came last */
	bool is_damaged;
};

void die_walk_init(struct die_walk *walk, const Dwarf_Die *root);

/*
 * Goes to the next entry: inside the current one when enters is set and it has any, else behind it.
 * False: there is none below the root any more.
 */
bool die_walk_next(struct die_walk *walk, bool enters);

static inline Dwarf_Die *die_walk_current(struct die_walk *walk)
{
	return &walk->path[walk->depth];
}

#endif
