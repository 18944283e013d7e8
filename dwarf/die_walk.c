/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/die_walk.h"

void die_walk_init(struct die_walk *walk, const Dwarf_Die *root)
{
	walk->path[0] = *root;
	walk->depth = 0;
	walk->last = dwarf_dieoffset(&walk->path[0]);
	walk->is_damaged = false;
}

/* Whether the entry just found comes behind all before it. */
static bool arrive(struct die_walk *walk)
{
	Dwarf_Off offset = dwarf_dieoffset(die_walk_current(walk));

	walk->is_damaged = offset <= walk->last;
	walk->last = offset;
	return !walk->is_damaged;
}

bool die_walk_next(struct die_walk *walk, bool enters)
{
	int result;

	if (walk->is_damaged)
		return false;
	if (enters && walk->depth + 1 < LIMIT_DWARF_DEPTH) {
		result = dwarf_child(die_walk_current(walk), &walk->path[walk->depth + 1]);
		if (result == 0) {
			walk->depth++;
			return arrive(walk);
		}
		walk->is_damaged = result < 0;
	}
	for (; walk->depth > 0 && !walk->is_damaged; walk->depth--) {
		Dwarf_Die *current = die_walk_current(walk);

		result = dwarf_siblingof(current, current);
		if (result == 0)
			return arrive(walk);
		walk->is_damaged = result < 0;
	}
	return false;
}

#endif
