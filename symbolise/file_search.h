/* SPDX-License-Identifier: MIT */
/*
 * Finds the files of a module by opening the candidate paths in order. Accepts a file unless it is
 * known to be a different file (symbolise/file_match.h).
 *
 *     code         by build-id, by path, by name
 *     symbols      in the same file; by build-id; by .gnu_debuglink; in .gnu_debugdata
 *     supplement   by .gnu_debugaltlink of the symbols' file (dwz)
 */
#ifndef SYMBOLISE_FILE_SEARCH_H
#define SYMBOLISE_FILE_SEARCH_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/source.h"
#include "symbolise/file_match.h"

/* The files of one module, and their match status. */
struct found_files {
	struct elf_file runtime_file, symbols_file, supplement_file;
	unsigned char *decompressed; /* symbols_file, decompressed from .gnu_debugdata; or NULL */
	struct elf_pair pair;        /* points to runtime_file and symbols_file */
	/* NULL if not found. This path and those below live in the job's arena. */
	const char *runtime_path;
	const char *symbols_path; /* NULL if there are no static symbols */
	/* the places where the files were found, if their paths are not NULL */
	struct located runtime_at, symbols_at;
	/*
	 * The dwz supplement, with debug information that several files share. NULL if the symbol
	 * file names no supplement, or if the supplement was not found.
	 */
	const char *supplement_path;
	enum match_status match;
	struct text reason;
};

/* Searches for all files. The caller must call found_files_close even after a failure. */
void file_search(struct naming_job *job, struct naming *naming, struct found_files *found);
void found_files_close(struct found_files *found);

/* Like file_search, but finds files only by the module's build-id. */
void file_search_by_build_id(struct naming_job *job, struct naming *naming,
			     struct found_files *found);

struct file_search {
	struct naming_job *job;
	struct naming *naming;
	struct found_files *found;
	/* build-id from the capture, otherwise from the first accepted file */
	struct build_id wanted;
	/* The first file that was found and refused. */
	enum match_status refusal;
	struct text refusal_reason;
	const char *denied_path; /* the first path that the user may not read; NULL if none */
};

/*
 * Begins a search by the module's build-id. If the module has no build-id, other evidence decides
 * which files are accepted. The caller closes `found`.
 */
void file_search_begin(struct file_search *search, struct naming_job *job, struct naming *naming,
		       struct found_files *found);

/* Returns the match status of one candidate. context: the data of the search step. */
typedef struct file_match file_search_check(const struct file_search *search,
					    const struct located *located,
					    const struct elf_file *elf, const void *context);

/*
 * Opens and checks a candidate. Keeps the candidate if it has code or symbols that are still
 * missing.
 */
void file_search_try(struct file_search *search, const struct located *located,
		     file_search_check *check, const void *context);

/* Tries the files that the bundle manifest lists for a module without a build-id. */
void file_search_try_bundled(struct file_search *search);

/*
 * Finds the file named by .gnu_debugaltlink in the symbols' file. The found file is used if its
 * build-id matches.
 */
void file_search_alt_link(struct file_search *search);

#endif
