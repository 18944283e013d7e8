/* SPDX-License-Identifier: MIT */
/*
 * Units whose debug information the compiler put into files of their own (-gsplit-dwarf). The unit in
 * the program is a skeleton: where the file is, a number it must have too, and the addresses that
 * are all the linker had to know.
 *
 *     app        skeleton 7f31.., "a.dwo", addresses ─┐          image for libdw
 *     a.dwo      unit 7f31.., names, functions ───────┴────────▶ | unit | names | addresses |
 *     app.dwp    many of these, and an index by their numbers
 *
 * Files are found and opened here, as any a hostile file names, and never by libdw.
 */
#ifndef DWARF_SPLIT_UNITS_H
#define DWARF_SPLIT_UNITS_H

#include <elfutils/libdw.h>

#include "dwarf/split_places.h"

/* One split unit, open as long as names of it may be asked for. */
struct split_unit {
	struct split_file file;    /* not open: it is part of a package */
	struct debug_image linked; /* what libdw was given */
	Dwarf *dwarf;
};

struct split_package {
	struct split_file file;
	struct split_place place;
	bool is_used;
};

struct split_units {
	Elf *program; /* with the skeletons */
	const struct split_sources *sources;
	byte_list *used; /* where files were that units were taken from */
	struct arena arena;
	bool has_looked; /* for packages */
	VEC(struct split_package) packages;
	VEC(struct split_unit) open;
};

/* What is given outlives units. */
void split_units_init(struct split_units *units, Elf *program, const struct split_sources *sources,
		      byte_list *used);
void split_units_deinit(struct split_units *units);

/* Whether a unit of the program is a skeleton. */
bool split_units_is_skeleton(Dwarf_Die *unit);

/* What lists of ranges in a split unit are counted from: where the skeleton's code begins, which libdw
 * does not see; 0 where that is in several places, and lists say themselves. */
uint64_t split_units_base(Dwarf_Die *skeleton);

/* The unit a skeleton stands for; false: it was not found. */
bool split_units_find(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret);

#endif
