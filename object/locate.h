/* SPDX-License-Identifier: MIT */
/*
 * Where the file a capture speaks of may be found: a list of places in the order they are to be
 * tried. It only lists; whether a file is the right one is decided by who opens it.
 *
 *     by build-id    what the user offers, perf's cache, /usr/lib/debug   (equal ids are the same)
 *     by path        the captured path below a folder of the user's, and on this machine
 *     by name        what the user offers that is called the same
 */
#ifndef OBJECT_LOCATE_H
#define OBJECT_LOCATE_H

#include "base/error.h"
#include "object/index.h"

enum located_how {
	LOCATED_BY_BUILD_ID,
	LOCATED_IN_FOLDER, /* the captured path, below root */
	LOCATED_LIVE,      /* the captured path, on this machine */
	LOCATED_BY_NAME,
};

struct located {
	enum located_how how;
	const char *root; /* LOCATED_IN_FOLDER; else NULL */
	const char *path;
};

struct located_list {
	VEC(struct located) rows;
};

struct locator {
	struct file_index index;    /* finished */
	const char *build_id_cache; /* NULL: none */
	bool uses_host;             /* this machine's own files are those of the capture */
};

/* What is asked for. */
struct locate_query {
	struct text path; /* as captured; empty: by build-id only */
	struct build_id build_id;
};

/* Adds to list; what it points to is in arena or the locator's. */
void locate_objects(const struct locator *locator, const struct locate_query *query,
		    struct arena *arena, struct located_list *list);

/* A file of the entry of this build-id in perf's cache ("elf", "kallsyms"); NULL: no cache. */
const char *locate_in_cache(const struct locator *locator, const struct build_id *id,
			    const char *name, struct arena *arena);

/* The path without the kernel's " (deleted)". */
struct text locate_original_path(struct text path);

/* Opens it as file_open and file_open_beneath do. */
int located_open(const struct located *located, struct error *err) WARN_UNUSED;

#endif
