/* SPDX-License-Identifier: MIT */
/*
 * The files that named a module as a slim bundle has them: reduced to the symbols around the addresses
 * that samples touch and to what debug information says of the functions there (object/elf_slim.h). Each
 * is read again before it is shown, and has to name the same addresses alike, by kiln's rules and by
 * perf's; else its symbol tables stay whole, and a file that cannot be reduced is shown as it is.
 */
#ifndef SYMBOLISE_SLIM_FILES_H
#define SYMBOLISE_SLIM_FILES_H

#include "dwarf/inline_table.h"
#include "symbolise/file_search.h"

struct slim_files {
	const struct found_files *found;
	naming_convert *convert; /* as naming_table has it */
	const void *convert_context;
	/* What was read of debug information; NULL: there is some, and it could not be read. */
	const struct inline_table *table;
	struct text kept_name; /* of a symbol that is kept wherever it is; empty: none */
};

/* Shows the files to who collects them, if they are wanted so. */
void slim_files_collect(struct naming_job *job, const struct naming *naming,
			const struct slim_files *files);

#endif
