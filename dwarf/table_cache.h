/* SPDX-License-Identifier: MIT */
/*
 * A cache of inline tables on disk: a directory with one file for each build-id. Files that are
 * corrupt, or have a different version or byte order, are ignored.
 *
 *     DIR/4f1b...c09.inl     | header: magic, version, build-id, checksum | table |
 */
#ifndef DWARF_TABLE_CACHE_H
#define DWARF_TABLE_CACHE_H

#include "base/build_id.h"
#include "dwarf/inline_table.h"

/*
 * Reads the cached table of a build-id into an empty table. Sets the access and modification time
 * of the cache file to now, to record when the table was last used. Returns false if there is no
 * cached table.
 */
bool table_cache_load(const char *directory, const struct build_id *id, struct inline_table *table);

/*
 * Whether the directory is read-only, such as a shared cache that others fill. Returns false if the
 * directory is missing.
 */
bool table_cache_is_read_only(const char *directory);

/*
 * Stores a table, replacing an older one. Creates the directory if the directory is missing. Other
 * processes, including those on other hosts, see either the old file or the whole new file.
 */
bool table_cache_store(const char *directory, const struct build_id *id,
		       const struct inline_table *table, struct error *err) WARN_UNUSED;

/*
 * Reads the contents of a cache file into an empty table. Returns false if the contents are not
 * valid.
 */
bool table_cache_read(struct span bytes, const struct build_id *id, struct inline_table *table);

/* Appends the contents of a cache file. */
void table_cache_write(const struct inline_table *table, const struct build_id *id,
		       byte_list *bytes);

struct table_cache_entry {
	struct build_id id; /* size_bytes is 0 for a temporary file of an interrupted run */
	uint64_t size_bytes;
	int64_t used_time_s; /* time of the last write or use */
	char name[64];
};

typedef VEC(struct table_cache_entry) table_cache_entries;

/* Lists the files of the cache, sorted by name. */
bool table_cache_list(const char *directory, table_cache_entries *entries,
		      struct error *err) WARN_UNUSED;

enum table_cache_state {
	TABLE_CACHE_VALID,
	TABLE_CACHE_TEMPORARY, /* a file that is being written, or was left by an interrupted run */
	/* written by a different version of kiln, or in a different byte order */
	TABLE_CACHE_OTHER_FORMAT,
	TABLE_CACHE_CORRUPT, /* truncated or changed, or the name has a different build-id */
	TABLE_CACHE_UNREADABLE,
};

/* Reads a whole file of the cache. */
enum table_cache_state table_cache_verify(const char *directory,
					  const struct table_cache_entry *entry);

bool table_cache_remove(const char *directory, const struct table_cache_entry *entry,
			struct error *err) WARN_UNUSED;

#endif
