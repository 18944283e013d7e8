/* SPDX-License-Identifier: MIT */
/*
 * Reduces symbol files for a slim bundle. The files keep the symbols near sampled addresses, and
 * the debug information of these functions (object/elf_slim.h). Each reduced file is read back. The
 * reduced file must give the sampled addresses the same names, by both kiln's rules and perf's. If
 * the names differ, the file keeps its whole symbol tables. A file that cannot be reduced is packed
 * whole.
 */
#ifndef SYMBOLISE_SLIM_FILES_H
#define SYMBOLISE_SLIM_FILES_H

#include "dwarf/inline_table.h"
#include "symbolise/file_search.h"

struct slim_files {
	const struct found_files *found;
	naming_convert *convert; /* as in struct naming_table */
	const void *convert_context;
	/* Inlined functions and lines. NULL if the debug information could not be read. */
	const struct inline_table *table;
	struct text kept_name; /* name of a symbol that is always kept; empty if there is none */
};

/* Passes the reduced files to the collector, if it requests slim files. */
void slim_files_collect(struct naming_job *job, const struct naming *naming,
			const struct slim_files *files);

#endif
