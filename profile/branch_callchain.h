/* SPDX-License-Identifier: MIT */
/*
 * Derives callchains from recorded branches.
 *
 * With perf record --call-graph lbr, branches are the calls that have not returned. These calls
 * replace the user part of the callchain; the kernel part stays in front of them:
 *
 *     KERNEL k1 k2 USER u1 u2   +  a▶b  c▶a  d▶c   =  KERNEL k1 k2 USER u1 EXACT a c d
 *
 * With perf record -b, branches are a history that precedes the callchain, the newest innermost:
 *
 *     USER u1 u2                +  a▶b  c▶d        =  USER b EXACT a d c USER u1 u2
 *
 * Source: tools/perf/util/machine.c.
 */
#ifndef PROFILE_BRANCH_CALLCHAIN_H
#define PROFILE_BRANCH_CALLCHAIN_H

#include "libparse/callchain.h"
#include "libparse/event.h"

/* Maximum number of branches in the branch history of a sample. CPUs record at most 64 branches. */
#define LIMIT_HISTORY_BRANCHES 256u

/*
 * Writes the callchain of a sample with LBR calls to ret. Returns false if there are no branches,
 * or if there is no user part. as_perf: whether, as in perf 6.1, the innermost user address is the
 * target of the last call instead of the ip.
 */
bool branch_callchain_of_calls(const struct event_sample *sample, bool as_perf,
			       struct callchain_buffer *ret);

/* Writes the branches of a sample and then its callchain to ret. */
void branch_callchain_of_history(const struct event_sample *sample, const uint64_t *ips,
				 uint32_t ip_count, struct callchain_buffer *ret);

/* Whether both addresses of a branch were recorded. */
static inline bool branch_is_complete(const struct event_branch *branch)
{
	return branch->from && branch->to && branch->from < CALLCHAIN_MARKER_FIRST &&
	       branch->to < CALLCHAIN_MARKER_FIRST;
}

/* Writes only the branches that are complete: the target and the source of each, newest first. */
void branch_callchain_of_branches(const struct event_sample *sample, struct callchain_buffer *ret);

#endif
