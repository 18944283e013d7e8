/* SPDX-License-Identifier: MIT */
/*
 * Finding the right file for a module: goes through the places where it may be, opens what is
 * there, and takes it only when nothing says that it is another.
 *
 *     build-id in the capture    equal: verified              else refused
 *     none                       on the same host, same inode: the same file
 *                                the user offers it by name: unverified, if the code fits
 */
#ifndef SYMBOLISE_FILE_SEARCH_H
#define SYMBOLISE_FILE_SEARCH_H

#include "symbolise/elf_names.h"
#include "symbolise/source.h"

/* The pair of files of one module, and what is to be said of them. */
struct found_files {
	struct elf_file runtime_file, symbols_file;
	unsigned char *unpacked;  /* what symbols_file is, when it was inside the other; or NULL */
	struct elf_pair pair;     /* points to the two files */
	const char *runtime_path; /* NULL: not found; in the job's arena, as below */
	const char *symbols_path; /* NULL: there are no static symbols */
	enum module_verdict verdict;
	struct text reason;
};

/* Searches; found_files_close is due whatever the verdict. */
void file_search(struct naming_job *job, const struct naming *naming, struct found_files *found);
void found_files_close(struct found_files *found);

/* The same, for the file the naming's build-id belongs to and nothing else. */
void file_search_by_build_id(struct naming_job *job, const struct naming *naming,
			     struct found_files *found);

#endif
