/* SPDX-License-Identifier: MIT */
/*
 * Tables of inlined functions kept on disk from run to run: a folder with a file for each build-id.
 * Anybody may have written the files; a damaged one, or one of another version or machine, is as
 * good as none.
 *
 *     DIR/4f1b...c09.inl     | header: magic, version, build-id, checksum | table |
 */
#ifndef DWARF_TABLE_CACHE_H
#define DWARF_TABLE_CACHE_H

#include "base/build_id.h"
#include "dwarf/inline_table.h"

/* Reads the table of a build-id into an empty one, and notes that it was used. False: there is none. */
bool table_cache_load(const char *folder, const struct build_id *id, struct inline_table *table);

/* Puts the table in the place of the one that is there. The folder is made when it is missing. */
bool table_cache_store(const char *folder, const struct build_id *id,
		       const struct inline_table *table, struct error *err) WARN_UNUSED;

/* What a file of the cache holds, as in table_cache_load. */
bool table_cache_read(struct span bytes, const struct build_id *id, struct inline_table *table);

/* The bytes of such a file, appended. */
void table_cache_write(const struct inline_table *table, const struct build_id *id,
		       byte_list *bytes);

struct table_cache_entry {
	struct build_id id; /* size_bytes 0: a file that a run that was stopped has left */
	uint64_t size_bytes;
	int64_t used_time_s; /* when it was written or used last */
	char name[64];
};

typedef VEC(struct table_cache_entry) table_cache_entries;

/* Lists the files that are the cache's, by name. */
bool table_cache_list(const char *folder, table_cache_entries *entries,
		      struct error *err) WARN_UNUSED;

bool table_cache_remove(const char *folder, const struct table_cache_entry *entry,
			struct error *err) WARN_UNUSED;

#endif
