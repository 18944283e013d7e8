/* SPDX-License-Identifier: MIT */
/*
 * A cache of inline tables on disk: a directory with one file for each build-id. A corrupt file, or
 * one of another version or byte order, is ignored.
 *
 *     DIR/4f1b...c09.inl     | header: magic, version, build-id, checksum | table |
 */
#ifndef DWARF_TABLE_CACHE_H
#define DWARF_TABLE_CACHE_H

#include "base/build_id.h"
#include "dwarf/inline_table.h"

/*
 * Reads the cached table of a build-id into an empty table. Sets the access and modification time
 * of the cache file to now, to record when the table was last used. False if there is no cached
 * table.
 */
bool table_cache_load(const char *directory, const struct build_id *id, struct inline_table *table);

/* Stores a table, replacing an older one. Creates the directory if it is missing. */
bool table_cache_store(const char *directory, const struct build_id *id,
		       const struct inline_table *table, struct error *err) WARN_UNUSED;

/* Reads the contents of a cache file into an empty table. False if they are not valid. */
bool table_cache_read(struct span bytes, const struct build_id *id, struct inline_table *table);

/* Appends the contents of a cache file. */
void table_cache_write(const struct inline_table *table, const struct build_id *id,
		       byte_list *bytes);

struct table_cache_entry {
	struct build_id id; /* size_bytes 0: a temporary file of an interrupted run */
	uint64_t size_bytes;
	int64_t used_time_s; /* time of the last write or use */
	char name[64];
};

typedef VEC(struct table_cache_entry) table_cache_entries;

/* Lists the files of the cache, sorted by name. */
bool table_cache_list(const char *directory, table_cache_entries *entries,
		      struct error *err) WARN_UNUSED;

bool table_cache_remove(const char *directory, const struct table_cache_entry *entry,
			struct error *err) WARN_UNUSED;

#endif
