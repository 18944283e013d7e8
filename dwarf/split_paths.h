/* SPDX-License-Identifier: MIT */
/*
 * Candidate paths of split debug information (.dwo, .dwp). The path that the compiler recorded may
 * exist on this machine, below a directory that the user gave, or in an archive. kiln opens the
 * files when the worker requests them:
 *
 *     places     "H"  "R/sysroot"  "A0:64:9000:a.dwo"
 *     skeleton   "a.dwo" in "/src"           ─▶ /src/a.dwo, /sysroot/src/a.dwo, ...
 *     package    of "/usr/bin/app"           ─▶ /usr/bin/app.dwp, ...
 */
#ifndef DWARF_SPLIT_PATHS_H
#define DWARF_SPLIT_PATHS_H

#include "base/arena.h"
#include "dwarf/debug_image.h"
#include "dwarf/helper.h"

/* The places from which split units may be read. */
struct split_sources {
	const struct dwarf_files *files;
	struct text places;                /* where files may be; as in struct dwarf_request */
	const struct dwarf_opener *opener; /* if NULL, only archives are read */
};

/* A candidate: a place and a path in it. */
struct split_path {
	const char *offer; /* one of the request's places */
	const char *path;  /* path in that place; empty if the offer names the file */
};

typedef VEC(struct split_path) split_path_list;

/*
 * Lists candidates for the unit of a skeleton. directory: its compilation directory; NULL if
 * unknown.
 */
void split_paths_of_unit(const struct split_sources *sources, const char *name,
			 const char *directory, struct arena *arena, split_path_list *list);

/* Lists candidates for the program's package (.dwp). */
void split_paths_of_package(const struct split_sources *sources, struct arena *arena,
			    split_path_list *list);

struct split_file {
	struct debug_image image;
	int fd; /* -1 if the file is mapped from an archive */
	void *mapping;
	size_t mapping_bytes;
};

/*
 * Opens a candidate. Returns false if the candidate cannot be read. Call split_file_close even
 * after a failure.
 */
bool split_file_open(struct split_file *file, const struct split_sources *sources,
		     const struct split_path *place) WARN_UNUSED;
void split_file_close(struct split_file *file);

#endif
