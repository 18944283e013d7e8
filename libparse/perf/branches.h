/* SPDX-License-Identifier: MIT */
/*
 * One entry of a branch stack: three words, the last of them C bit-fields, which compilers of
 * big-endian machines lay out from the other end:
 *
 *     | u64 from | u64 to | mispred predicted in_tx abort cycles:16 type:4 spec:2 new_type:4 priv:3 |
 *                           bit 0 ─▶ little-endian                         big-endian: bit 63 ─▶
 *
 * Source: struct perf_branch_entry in linux/perf_event.h.
 */
#ifndef LIBPARSE_PERF_BRANCHES_H
#define LIBPARSE_PERF_BRANCHES_H

#include "libparse/event.h"

#define BRANCH_ENTRY_BYTES 24

/* Reads count entries out of a span that has as many. */
void branches_read(struct span entries, size_t count, struct event_branch *ret);

#endif
