/* SPDX-License-Identifier: MIT */
/*
 * Finding the right files for a module: goes through the places where they may be, opens what is
 * there, and takes it only when nothing says that it is another (symbolise/file_match.h).
 *
 *     code      by build-id, by path, by name
 *     symbols   in the same file; by build-id; by its debug link; packed in .gnu_debugdata
 *     supplement                by the link of the symbols' file
 */
#ifndef SYMBOLISE_FILE_SEARCH_H
#define SYMBOLISE_FILE_SEARCH_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/source.h"
#include "symbolise/file_match.h"

/* The pair of files of one module, and what is to be said of them. */
struct found_files {
	struct elf_file runtime_file, symbols_file, supplement_file;
	unsigned char *unpacked;  /* what symbols_file is, when it was inside the other; or NULL */
	struct elf_pair pair;     /* points to the two files */
	const char *runtime_path; /* NULL: not found; in the job's arena, as below */
	const char *symbols_path; /* NULL: there are no static symbols */
	struct located runtime_at, symbols_at; /* where they were, of the paths that are not NULL */
	/* What dwz took out of the symbols' file and others; it has debug information alone. NULL: the file
	 * names none, or it was not found. */
	const char *supplement_path;
	enum match_status match;
	struct text reason;
};

/* Searches; found_files_close is due whatever the verdict. */
void file_search(struct naming_job *job, struct naming *naming, struct found_files *found);
void found_files_close(struct found_files *found);

/* The same, for the file the naming's build-id belongs to and nothing else. */
void file_search_by_build_id(struct naming_job *job, struct naming *naming,
			     struct found_files *found);

struct file_search {
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
void file_search_begin(struct file_search *search, struct naming_job *job, struct naming *naming,
		       struct found_files *found);

/* Whether the file at a place may be used; context is the step's. */
typedef struct file_match file_search_check(const struct file_search *search,
					    const struct located *located,
					    const struct elf_file *elf, const void *context);

/* Opens the file at a place, lets judge decide, and keeps what the file is good for. */
void file_search_try(struct file_search *search, const struct located *located,
		     file_search_check *judge, const void *context);

/* Remembers a place, and in the first refusal the reason of all. */
void file_search_note(struct file_search *search, const struct located *located,
		      struct file_match match);

/* The same for one where no ELF file could be opened. */
void file_search_note_unread(struct file_search *search, const struct located *located,
			     bool is_there, const struct error *err);

/* Tries what a bundle says of a module that has no build-id to ask for. */
void file_search_try_bundled(struct file_search *search);

/*
 * The separate debug file that the code's .gnu_debuglink names, taken when its build-id is that of the
 * code, or where one of them has none, when the CRC is right.
 */
void file_search_debug_link(struct file_search *search);

/* The file that .gnu_debugaltlink of the symbols' file names, taken when its build-id is right. */
void file_search_alt_link(struct file_search *search);

#endif
