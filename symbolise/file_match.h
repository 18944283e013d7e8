/* SPDX-License-Identifier: MIT */
/*
 * Determines whether a file that was found is the file that was mapped:
 *
 *     the capture has a build-id    equal: verified, or late build-id; otherwise mismatched (symbolise/build_id_proof.h)
 *     no build-id                   same inode on the recording host: same file
 *                                   offered by name: verified by its code (symbolise/code_match.h), or
 *                                   unverified, if it has code at the sampled addresses
 */
#ifndef SYMBOLISE_FILE_MATCH_H
#define SYMBOLISE_FILE_MATCH_H

#include "object/elf.h"
#include "symbolise/source.h"

struct file_match {
	enum match_status status;
	/*
	 * Text that continues a message after the file's path. Lives in the job's arena; may be
	 * empty.
	 */
	struct text reason;
};

/*
 * Compares a file with the module. wanted: the requested build-id, which may be empty or differ
 * from the build-id of the module.
 */
struct file_match file_match_check(struct naming_job *job, const struct naming *naming,
				   const struct build_id *wanted, const struct located *located,
				   const struct elf_file *elf);

/* Whether a file with this status is good enough to name frames. */
bool match_is_usable(enum match_status match);

#endif
