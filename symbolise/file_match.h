/* SPDX-License-Identifier: MIT */
/*
 * Whether a file that was found may speak for a module, and how far that is proven:
 *
 *     build-id in the capture    equal: verified, or listed; else refused (symbolise/build_id_proof.h)
 *     none                       on the same host, same inode: the same file
 *                                the user offers it by name: as its code shows (symbolise/code_match.h), or
 *                                unverified, if it has code at the captured addresses
 */
#ifndef SYMBOLISE_FILE_MATCH_H
#define SYMBOLISE_FILE_MATCH_H

#include "object/elf.h"
#include "symbolise/source.h"

struct file_match {
	enum match_status status;
	/* For people, to be read behind the file's path; in the job's arena; perhaps empty. */
	struct text reason;
};

/* wanted: the build-id asked for, perhaps none, which need not be the module's own. */
struct file_match file_match_check(struct naming_job *job, const struct naming *naming,
				   const struct build_id *wanted, const struct located *located,
				   const struct elf_file *elf);

/* Whether a file of this status may be used. */
bool match_is_usable(enum match_status match);

#endif
