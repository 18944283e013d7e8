/* SPDX-License-Identifier: MIT */
/*
 * Finds the functions inlined at a module's locations, from debug information:
 *
 *     begin    addresses of the locations ─▶ dwarf/helper     (symbols are read meanwhile)
 *     finish   inline table ─▶ for each location, the functions inlined into each other
 *
 * If a file has no debug information, kiln reads no other part of the file here.
 */
#ifndef SYMBOLISE_INLINES_H
#define SYMBOLISE_INLINES_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/source.h"
#include "dwarf/helper.h"

struct inlines;

/* Returns the file of the pair that has debug information, or NULL. */
const struct elf_file *inlines_file(const struct elf_pair *pair);

/*
 * Borrows all arguments. convert: see struct naming_table. Returns NULL if there is no debug
 * information.
 */
struct inlines *inlines_begin(struct naming_job *job, struct naming *naming,
			      const struct elf_pair *pair, naming_convert *convert,
			      const void *convert_context);

/*
 * Fills the frames of the naming's results, and frees `inlines`, which may be NULL. The results
 * must already have names. The caller frees the table. Returns false if the debug information could
 * not be read.
 */
bool inlines_finish(struct inlines *inlines, struct inline_table *table);

/* The split DWARF files that are offered to the helper process. */
struct split_offer {
	struct text places; /* texts of the places, in the job's arena */
	int archive_fds[DWARF_ARCHIVES_MAX];
	size_t archive_count;
};

/* Lists the places where elf's split DWARF files can be. */
void split_files_offer(struct naming_job *job, const struct naming *naming,
		       const struct elf_file *elf, struct split_offer *ret);

/*
 * Opens a file in one of the offered places. Returns -1 on failure. Also returns -1 for a place
 * that was not offered, because place comes from an untrusted worker.
 */
int split_files_open(void *offer, const char *place, const char *path);

/* Passes the split DWARF files that the helper used to the collector. */
void split_files_collect(const struct naming_job *job, const struct naming *naming,
			 struct split_offer *offer, const byte_list *used);

#endif
