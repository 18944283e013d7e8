/* SPDX-License-Identifier: MIT */
/*
 * The files of an archive that can name frames, one behind the other in one temporary file that has
 * no name itself. They are known by their names in the archive, which are data: absolute ones, those
 * with ".." and links lead nowhere but to other files of it. Of equal names the last counts.
 *
 *     usr/lib/libc.so.6              ─▶ | libc.so.6 | kallsyms | ...    one file
 *     usr/lib/libc.so ── link ───────┘
 */
#ifndef COMPRESS_CONTENTS_H
#define COMPRESS_CONTENTS_H

#include "compress/extract.h"
#include "base/arena.h"

/* What a bundle of kiln's says of its own files. */
#define CONTENTS_MANIFEST_NAME "kiln-manifest"

/* How its lines of source files begin, which name no frames whatever their own names look like. */
#define CONTENTS_SOURCE_NAME "kiln-source"

struct contents_member {
	struct text name; /* without "/" at its beginning; NUL behind */
	uint64_t begin, size_bytes;
	/* Until contents_finish. */
	struct text target; /* at NULL: it is a file */
	size_t order;
};

struct contents {
	struct arena arena;
	struct input spool;                  /* fd -1: nothing was kept */
	VEC(struct contents_member) members; /* sorted by name; links to files are files */
	size_t open;                         /* the row of the file that is being appended */
	size_t steps_left;                   /* of following links, for all of them */
};

void contents_init(struct contents *contents);
void contents_deinit(struct contents *contents);

/* Keeps a file or a link, as a struct extract_taker does. What names no frames is passed over. */
bool contents_take_file(struct contents *contents, struct text name, struct span head,
			struct input **ret, struct error *err) WARN_UNUSED;
void contents_take_link(struct contents *contents, struct text name, struct text target,
			bool is_hard);

/* After the last of them, before the first question. */
void contents_finish(struct contents *contents);

/* The file of this name, or NULL. */
const struct contents_member *contents_find(const struct contents *contents, struct text name);

#endif
