/* SPDX-License-Identifier: MIT */
/*
 * Determines whether the build-id of a module belongs to the file that was mapped. The kernel reads
 * the build-id when the file is mapped. perf record reads it when recording ends, from the file
 * that is then at the path. The evidence:
 *
 *     host     the file with that build-id has the inode of the mapping, or another inode;
 *              and it was not rewritten since it was mapped
 *     bundle   the result on the host where the bundle was made
 *     code     in the file with that build-id, calls precede the recorded return addresses or not
 */
#ifndef SYMBOLISE_BUILD_ID_PROOF_H
#define SYMBOLISE_BUILD_ID_PROOF_H

#include "symbolise/source.h"

/*
 * Sets naming->proof. Sets proof_reason if evidence contradicts the build-id. Build-ids read by the
 * kernel need no proof.
 */
void build_id_proof_find(struct naming_job *job, struct naming *naming);

/*
 * Whether perf read the build-id after recording. A build-id that was read so late may belong to a
 * different file.
 */
bool build_id_is_late(const struct module *module);

/* Whether evidence shows that the build-id belongs to a different file. */
static inline bool build_id_is_contradicted(const struct naming *naming)
{
	return naming->proof == PROOF_OTHER_INODE || naming->proof == PROOF_OTHER_CODE ||
	       naming->proof == PROOF_REWRITTEN;
}

#endif
