/* SPDX-License-Identifier: MIT */
/*
 * The symbol files of an archive: their contents in one unnamed temporary file, and their names.
 * Links lead only to other files in the archive, regardless of their paths. If several files have
 * the same name, the last counts.
 *
 *     usr/lib/libc.so.6              ─▶ | libc.so.6 | kallsyms | ...    one file
 *     usr/lib/libc.so ── link ───────┘
 */
#ifndef COMPRESS_CONTENTS_H
#define COMPRESS_CONTENTS_H

#include "base/arena.h"
#include "compress/extract.h"

/* The manifest of a bundle, which describes its files. */
#define CONTENTS_MANIFEST_NAME "kiln-manifest"

/*
 * The mark at the beginning of each source file in a bundle. With this mark, no source file is read
 * as a symbol file.
 */
#define CONTENTS_SOURCE_NAME "kiln-source"

struct contents_member {
	struct text name; /* without "/" at the start; NUL-terminated */
	bool is_source;   /* the contents are lines of a source file, regardless of the name */
	uint64_t begin, size_bytes;
	/* Until contents_finish. */
	struct text target; /* .at is NULL if the member is a file */
	size_t order;
};

struct contents {
	struct arena arena;
	struct temporary_space *space;       /* limit of the temporary files; see struct input */
	struct input spool;                  /* fd is -1 if nothing was kept */
	VEC(struct contents_member) members; /* sorted by name; links become files */
	size_t open;                         /* the row of the file that is being appended */
	size_t steps_left;                   /* remaining steps for following links */
};

void contents_init(struct contents *contents);
void contents_deinit(struct contents *contents);

/*
 * Callbacks for a struct extract_visitor, which add a file or a link, and skip files without
 * symbols or source lines.
 */
bool contents_add_file(struct contents *contents, struct text name, struct span head,
		       struct input **ret, struct error *err) WARN_UNUSED;
void contents_add_link(struct contents *contents, struct text name, struct text target,
		       bool is_hard);

/* Must be called once, after the last file has been added and before contents_find. */
void contents_finish(struct contents *contents);

/* The file with this name, or NULL. */
const struct contents_member *contents_find(const struct contents *contents, struct text name);

#endif
