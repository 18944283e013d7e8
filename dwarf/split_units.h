/* SPDX-License-Identifier: MIT */
/*
 * Units whose debug information is in separate files (-gsplit-dwarf). The program has only a
 * skeleton of the unit: the path of the file, an id that must match, and the addresses, which the
 * linker relocated.
 *
 *     app        skeleton 7f31.., "a.dwo", addresses ─┐          image for libdw
 *     a.dwo      unit 7f31.., names, functions ───────┴────────▶ | unit | names | addresses |
 *     app.dwp    many units, and an index by id
 *
 * This module, not libdw, finds and opens the files, because a hostile file may contain any path.
 */
#ifndef DWARF_SPLIT_UNITS_H
#define DWARF_SPLIT_UNITS_H

#include <elfutils/libdw.h>

#include "dwarf/image_maker.h"
#include "dwarf/reading_budget.h"
#include "dwarf/split_paths.h"

/* A split unit that is being read. */
struct split_unit {
	struct split_file file;    /* the file of the unit; not open if the unit is in a package */
	struct debug_image linked; /* the image for libdw */
	Dwarf *dwarf;
};

struct split_package {
	struct split_file file;
	struct split_path place;
	struct image_buffer images; /* memory for images of the file's units */
	bool is_used;
};

/* Identifies a file, because several paths may lead to the same file. For a file in an archive,
 * device is UINT64_MAX, and inode is the archive's number. */
struct split_identity {
	uint64_t device, inode, offset;
};

struct split_units {
	const struct debug_image *program; /* the program's image, which has the skeletons */
	const struct split_sources *sources;
	byte_list *used;               /* files whose units were used */
	struct reading_budget *budget; /* the caller sets the budget; each file increases it once */
	struct idtable file_table;     /* index of files */
	VEC(struct split_identity) files; /* files that the budget already includes */
	struct arena arena;               /* contains the paths of packages */
	bool has_searched;                /* packages have been searched for */
	VEC(struct split_package) packages;
	struct split_unit open; /* the unit found last */
};

void split_units_init(struct split_units *units, const struct debug_image *program,
		      const struct split_sources *sources, byte_list *used);
void split_units_deinit(struct split_units *units);

/* Whether a unit of the program is a skeleton. */
bool split_units_is_skeleton(Dwarf_Die *unit);

/*
 * The base address of range lists in a split unit: DW_AT_low_pc of the skeleton, or 0. libdw does
 * not use it for split units.
 */
uint64_t split_units_base(Dwarf_Die *skeleton);

/*
 * Finds the unit of a skeleton, and closes the previous unit. If the unit is missing, returns false
 * and leaves *ret unchanged.
 */
bool split_units_find(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret);

#endif
