/* SPDX-License-Identifier: MIT */
/*
 * Distinct raw call chains and what was counted for each. Most samples repeat a chain, so it is
 * hashed as it came, addresses and context markers, and looked at more closely only once:
 *
 *     (event, comm, address spaces) + ips  ──hash──▶ row: sample_count, period_sum
 *
 * The table is all that is kept of the samples. Workers have one each, which is merged into that of
 * the whole capture, and emptied, before it has seen too many.
 */
#ifndef PROFILE_CHAINS_H
#define PROFILE_CHAINS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "profile/address_space.h"

/* What must agree, beside the addresses, for two samples to have the same stack. */
struct chain_key {
	uint32_t event;
	uint32_t comm; /* a str_id, or TIMELINE_NONE: then the thread is known by tid alone */
	uint32_t unnamed_tid;
	uint32_t pid, tid, cpu; /* 0 where the grouping does not tell them apart */
	space_id space;
	space_id replaced_space; /* what an exec under way has unmapped already */
	space_id kernel_space;
	uint32_t cpu_mode; /* of entries before the first context marker */
};

struct chain {
	uint64_t hash;
	struct chain_key key;
	uint32_t ip_count;
	const uint64_t *ips; /* in the table's arena, innermost first */
	uint64_t sample_count;
	uint64_t period_sum;
};

struct chains {
	struct arena arena;
	struct idtable table;
	VEC(struct chain) rows; /* in the order of first appearance */
};

void chains_init(struct chains *chains);
void chains_deinit(struct chains *chains);

/* Adds what another table counted, in its order, and empties it. */
void chains_merge(struct chains *chains, struct chains *from);

/* Counts one sample with this chain. */
void chains_add(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
		uint32_t ip_count, uint64_t period);

#endif
