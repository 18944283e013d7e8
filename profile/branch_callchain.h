/* SPDX-License-Identifier: MIT */
/*
 * Call chains out of what the processor wrote down of the branches it took.
 *
 * As a call chain (perf record --call-graph lbr) it keeps the calls that have not returned. They
 * stand for the user part of the chain, the kernel's own part is before them:
 *
 *     KERNEL k1 k2 USER u1 u2   +  a▶b  c▶a  d▶c   =  KERNEL k1 k2 USER u1 EXACT a c d
 *
 * As a history (perf record -b) they come before the chain, the newest innermost:
 *
 *     USER u1 u2                +  a▶b  c▶d        =  USER b EXACT a d c USER u1 u2
 *
 * Source: machine.c of perf, which reads both like that.
 */
#ifndef PROFILE_BRANCH_CALLCHAIN_H
#define PROFILE_BRANCH_CALLCHAIN_H

#include "libparse/event.h"

/*
 * Puts the chain of a sample whose branches are calls into ret. False when they say nothing: there
 * are none, or the chain has no user part. as_perf: the innermost user address is where the last
 * call went, as perf 6.1 has it, and not where the program was.
 */
bool branch_callchain_of_calls(const struct event_sample *sample, bool as_perf,
			       struct callchain_buffer *ret);

/* Puts the branches of a sample, and behind them its chain, the ips, into ret. */
void branch_callchain_of_history(const struct event_sample *sample, const uint64_t *ips,
				 uint32_t ip_count, struct callchain_buffer *ret);

#endif
