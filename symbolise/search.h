/* SPDX-License-Identifier: MIT */
/*
 * A search for the files of one module, while it runs: the steps of file_search.c and linked_files.c
 * share it. Each step opens places one by one; every place is remembered with what came of it.
 */
#ifndef SYMBOLISE_SEARCH_H
#define SYMBOLISE_SEARCH_H

#include "symbolise/file_match.h"
#include "symbolise/file_search.h"

struct search {
	struct naming_job *job;
	struct naming *naming;
	struct found_files *found;
	struct build_id wanted; /* the capture's, or that of the file taken without one */
	/* What was found and not taken, the first of it. */
	enum match_status refusal;
	struct text refusal_reason;
	const char *denied_path; /* the first that this user may not read; NULL: none */
};

/* Begins a search for what the module's build-id says, or for anything where it has none; found is to be
 * closed by the caller. */
void search_begin(struct search *search, struct naming_job *job, struct naming *naming,
		  struct found_files *found);

/* Whether the file at a place may be used; context is the step's. */
typedef struct file_match search_judge(const struct search *search, const struct located *located,
				       const struct elf_file *elf, const void *context);

/* Opens the file at a place, lets judge decide, and keeps what the file is good for. */
void search_try(struct search *search, const struct located *located, search_judge *judge,
		const void *context);

/* Remembers a place, and in the first refusal the reason of all. */
void search_note(struct search *search, const struct located *located, struct file_match match);

/* The same for one where no ELF file could be opened. */
void search_note_unread(struct search *search, const struct located *located, bool is_there,
			const struct error *err);

/* Tries what a bundle says of a module that has no build-id to ask for. */
void search_try_bundled(struct search *search);

#endif
