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

#include "base/strings.h"
#include "dwarf/debug_image.h"

/* One split unit's file, open as long as names of it may be asked for. */
struct split_unit {
	struct debug_image image, linked; /* the file, and what libdw was given */
	int fd;                           /* -1: it is part of a package */
	Dwarf *dwarf;
};

struct split_units {
	Elf *program; /* with the skeletons */
	int program_fd;
	struct text places; /* of struct dwarf_question */
	int package_fd;     /* -1: there is none */
	bool has_looked;    /* for a package */
	struct debug_image package;
	VEC(struct split_unit) open;
};

void split_units_init(struct split_units *units, Elf *program, int program_fd, struct text places);
void split_units_deinit(struct split_units *units);

/* Whether a unit of the program is a skeleton. */
bool split_units_is_skeleton(Dwarf_Die *unit);

/* What lists of ranges in a split unit are counted from: where the skeleton's code begins, which libdw
 * does not see; 0 where that is in several places, and lists say themselves. */
uint64_t split_units_base(Dwarf_Die *skeleton);

/* The unit a skeleton stands for; false: it was not found. */
bool split_units_find(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret);

#endif
