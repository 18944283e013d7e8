/* SPDX-License-Identifier: MIT */
/*
 * Where files of split debug information may be. The compiler wrote down where it put them; that is a
 * path on this machine, or below a folder, or a name in an archive, as far as the user offers them:
 *
 *     question   "H"  "R/sysroot"  "A0:64:9000:a.dwo"
 *     skeleton   "a.dwo" in "/src"           ─▶ /src/a.dwo, /sysroot/src/a.dwo, ...
 *     package    of "/usr/bin/app"           ─▶ /usr/bin/app.dwp, ...
 */
#ifndef DWARF_SPLIT_PLACES_H
#define DWARF_SPLIT_PLACES_H

#include "base/arena.h"
#include "dwarf/debug_image.h"
#include "dwarf/helper.h"

/* What split units may be taken from. */
struct split_sources {
	const struct dwarf_files *files;
	struct text places; /* as struct dwarf_question has them */
};

/* A file that may be there. */
struct split_place {
	const char *
		offer; /* what of the question's places it comes of; empty: beside the program's file */
	const char *path; /* there; empty: the offer says it all */
};

typedef VEC(struct split_place) split_place_list;

/* The files that may have the unit a skeleton names, which was compiled in folder (NULL: unknown). */
void split_places_of_unit(const struct split_sources *sources, const char *name, const char *folder,
			  struct arena *arena, split_place_list *list);

/* The packages that may be the program's. */
void split_places_of_package(const struct split_sources *sources, struct arena *arena,
			     split_place_list *list);

/* A file that is open. */
struct split_file {
	struct debug_image image;
	int fd; /* -1: it is mapped */
	void *mapping;
	size_t mapping_bytes;
};

/* Opens it; false when there is none to be read. split_file_close is due either way. */
bool split_file_open(struct split_file *file, const struct split_sources *sources,
		     const struct split_place *place) WARN_UNUSED;
void split_file_close(struct split_file *file);

#endif
