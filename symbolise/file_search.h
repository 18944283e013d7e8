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

#endif
