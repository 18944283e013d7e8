/* SPDX-License-Identifier: MIT */
/*
 * The functions that were inlined at a module's locations, from the debug information of its files:
 *
 *     begin   addresses of locations ─▶ dwarf/helper      meanwhile the module's symbols can be read
 *     finish  a table ─▶ for each location a chain of functions
 *
 * A file without debug information is not looked at any further.
 */
#ifndef SYMBOLISE_INLINES_H
#define SYMBOLISE_INLINES_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/source.h"
#include "dwarf/helper.h"

struct inlines;

/* The file of the pair that has debug information, or NULL. */
const struct elf_file *inlines_file(const struct elf_pair *pair);

/* What it is given outlives it; convert as naming_table has it. NULL: nothing is to be found. */
struct inlines *inlines_begin(struct naming_job *job, struct naming *naming,
			      const struct elf_pair *pair, naming_convert *convert,
			      const void *convert_context);

/* Fills the frames of the naming's results, when those have their names, and ends what was begun. May be
 * given NULL. The table, which the caller frees, is what was read for that. False: there is debug information
 * that could not be read. */
bool inlines_finish(struct inlines *inlines, struct inline_table *table);

/* What goes into a question. */
struct split_offer {
	struct text places; /* in the job's arena */
	int archive_fds[DWARF_ARCHIVES_MAX];
	size_t archive_count;
};

/* All that the user and this machine offer, for the program or the debug file elf. */
void split_files_offer(struct naming_job *job, const struct naming *naming,
		       const struct elf_file *elf, struct split_offer *ret);

/* Shows the files that were taken to who collects them: used is what the answer says of them. */
void split_files_collect(const struct naming_job *job, const struct naming *naming,
			 const struct split_offer *offer, const byte_list *used);

#endif
