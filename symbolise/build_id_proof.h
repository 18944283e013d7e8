/* SPDX-License-Identifier: MIT */
/*
 * Whether the build-id of a module is that of the file that was mapped. The kernel reads it at the mapping, perf
 * from whatever is at the path when recording ends. What shows it:
 *
 *     the host     the file with that build-id at the path has the mapping's inode, or another;
 *                  and it was not written over since it was mapped
 *     a bundle     what the host showed where the bundle was made
 *     the code     calls precede the captured return addresses in the file with that build-id, or not
 */
#ifndef SYMBOLISE_BUILD_ID_PROOF_H
#define SYMBOLISE_BUILD_ID_PROOF_H

#include "symbolise/source.h"

/* Sets the proof of the naming, and a reason where it contradicts. Nothing is asked of a build-id by the
 * kernel, nor of a module without. */
void build_id_proof_find(struct naming_job *job, struct naming *naming);

/* Whether the module has a build-id that may be another file's. */
bool build_id_is_late(const struct module *module);

/* Whether what is known of the naming's module says that its build-id is another file's. */
static inline bool build_id_is_contradicted(const struct naming *naming)
{
	return naming->proof == PROOF_OTHER_INODE || naming->proof == PROOF_OTHER_CODE ||
	       naming->proof == PROOF_REWRITTEN;
}

#endif
