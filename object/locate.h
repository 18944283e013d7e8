/* SPDX-License-Identifier: MIT */
/*
 * Where the file a capture speaks of may be found: a list of places in the order they are to be
 * tried. It only lists; whether a file is the right one is decided by who opens it.
 *
 *     by build-id    what the user offers, perf's cache, /usr/lib/debug   (equal ids are the same)
 *     by path        the captured path below a folder of the user's, and on this machine, first as the
 *                    process sees it
 *     by name        what the user offers that is called the same
 */
#ifndef OBJECT_LOCATE_H
#define OBJECT_LOCATE_H

#include "base/error.h"
#include "object/elf.h"
#include "object/index.h"

enum located_how {
	LOCATED_BY_BUILD_ID,
	LOCATED_IN_FOLDER, /* the captured path, below root */
	LOCATED_LIVE,      /* the captured path, on this machine */
	LOCATED_BY_NAME,
	LOCATED_BY_LINK,   /* another file says that it belongs to it */
	LOCATED_BY_BUNDLE, /* which says that it is the file */
};

struct located {
	enum located_how how;
	const char *root; /* a folder of the user's, in which path is; or NULL */
	const char *path;
	const struct index_file *file; /* one the user offers; else NULL */
};

struct located_list {
	VEC(struct located) rows;
};

struct locator {
	const struct file_index *index; /* finished */
	const char *build_id_cache;     /* NULL: none */
	bool uses_host;                 /* this machine's own files are those of the capture */
	int64_t capture_time_s;         /* processes that began later are none of it; 0: unknown */
};

/* What a file says of one that belongs to it. */
struct locate_link {
	const struct located *from; /* the file that says it */
	struct text captured_path;  /* the path of that file on the machine of the capture */
	struct text name;           /* of a separate debug file; or a path, of a supplement */
};

/* What is asked for. */
struct locate_query {
	struct text path; /* as captured; empty: by build-id only */
	struct build_id build_id;
	/* Processes that map the file: where one still runs, and sees other things mounted than we do, the
	 * path is looked up as it does. 0: not known. */
	uint32_t pids[2];
};

/* Adds to list; what it points to is in arena or the locator's. */
void locate_objects(const struct locator *locator, const struct locate_query *query,
		    struct arena *arena, struct located_list *list);

/*
 * The same for a separate debug file, by its name: beside the file, in .debug beside it, in debug roots
 * below the path of the file, and what the user offers under that name.
 */
void locate_debug_file(const struct locator *locator, const struct locate_link *link,
		       struct arena *arena, struct located_list *list);

/* And for what dwz took out of several debug files, by a path that may begin at the debug file. */
void locate_supplement(const struct locator *locator, const struct locate_link *link,
		       struct arena *arena, struct located_list *list);

/* A file of the entry of this build-id in perf's cache ("elf", "kallsyms"); NULL: no cache. */
const char *locate_in_cache(const struct locator *locator, const struct build_id *id,
			    const char *name, struct arena *arena);

/* The path without the kernel's " (deleted)". */
struct text locate_original_path(struct text path);

/* Whether ".." is one of the folders in path. */
bool locate_has_parent(struct text path);

/* A file of the user's. */
struct located located_offered(enum located_how how, const struct index_file *file);

/* Opens it as file_open and file_open_beneath do. False when that fails or it is no ELF file; sets
 * *is_there when there is a file at all. */
bool located_open(const struct located *located, struct elf_file *elf, bool *is_there,
		  struct error *err) WARN_UNUSED;

#endif
