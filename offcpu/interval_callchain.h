/* SPDX-License-Identifier: MIT */
/*
 * The call chain of a sample that an interval begins with, and in front of it, as innermost frames,
 * what is to be told of the interval:
 *
 *     LENGTH 12345 | MARK run queue | KERNEL k1 k2 USER u1
 */
#ifndef OFFCPU_INTERVAL_CALLCHAIN_H
#define OFFCPU_INTERVAL_CALLCHAIN_H

#include "libparse/event.h"
#include "profile/branch_callchain.h"
#include "offcpu/interval.h"

/* The chain, which is ips or in buffer; *count is that of ips, and becomes that of the chain. */
const uint64_t *interval_callchain(const struct interval *interval, bool tells_length,
				   const struct event_sample *sample, const uint64_t *ips,
				   uint32_t *count, struct callchain_buffer *buffer);

#endif
