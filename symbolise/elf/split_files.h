/* SPDX-License-Identifier: MIT */
/*
 * Files of split debug information (a.dwo, app.dwp), as far as they concern who asks for names: where the
 * reader of debug information may look for them, and which of them it took something from.
 *
 *     split_offer ──▶ dwarf/helper ──▶ "H" "/src/a.dwo", "A0:64:9000:b.dwo" "" ──▶ collector
 */
#ifndef SYMBOLISE_ELF_SPLIT_FILES_H
#define SYMBOLISE_ELF_SPLIT_FILES_H

#include "dwarf/helper.h"
#include "symbolise/source.h"

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
