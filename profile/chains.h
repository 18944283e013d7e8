/* SPDX-License-Identifier: MIT */
/*
 * Distinct raw call chains and what was counted for each. Most samples repeat a chain, so it is
 * hashed as it came, addresses and context markers, and looked at more closely only once. The
 * innermost address is kept apart from its callers: of all addresses it is the one that varies.
 *
 *     (event, comm, address spaces) + return addresses ──hash──▶ callers ◀─┐
 *     callers + ip ─────────────────────────────────────hash──▶ chain ─────┘ sample_count,
 *                                                                            period_sum
 *
 * Every lookup waits for memory several times, so samples are put by until there are some whose
 * waits can overlap; chains_flush enters them.
 *
 * The tables are all that is kept of the samples, and there are several: which one a chain is in
 * its hash decides. Workers have a set each, which is merged into that of the whole capture, and
 * emptied, before it has seen too many; tables of different numbers are merged at the same time.
 */
#ifndef PROFILE_CHAINS_H
#define PROFILE_CHAINS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "process/address_space.h"

/* A power of two, whatever the number of threads: the order of chains depends on it. */
#define CHAINS_TABLE_COUNT 16

/* The ip of a chain without any address. No address, as it is above CHAIN_MARKER_FIRST. */
#define CHAIN_NO_IP UINT64_MAX

/*
 * Among the entries of a chain, markers of ours. Those behind them, up to the next marker, are all
 * instructions that ran, or all return addresses: else only the first behind a marker is no return
 * address.
 */
#define CHAIN_EXACT   ((uint64_t)-4001)
#define CHAIN_RETURNS ((uint64_t)-4002)
/* Behind the outermost address that is known of a stack: there were more, which were not recorded. */
#define CHAIN_TRUNCATED ((uint64_t)-4003)
/* What follows is one entry, no address but an enum interval_mark. */
#define CHAIN_MARK ((uint64_t)-4004)
/* What follows is one entry, no address but how many nanoseconds an interval took. */
#define CHAIN_LENGTH ((uint64_t)-4005)
/* What follows is one entry, no address but a link of offcpu/wakers.h. */
#define CHAIN_WAKER ((uint64_t)-4006)

/* What must agree, beside the addresses, for two samples to have the same stack. */
struct chain_key {
	uint64_t head; /* of text captures, in the place of event, comm and spaces: text_samples */
	uint32_t event;
	uint32_t comm; /* a str_id, or TIMELINE_NONE: then the thread is known by tid alone */
	uint32_t unnamed_tid;
	uint32_t pid, tid, cpu; /* 0 where the grouping does not tell them apart */
	space_id space;
	space_id replaced_space; /* what an exec under way has unmapped already */
	space_id kernel_space;
	uint16_t cpu_mode; /* of entries before the first context marker */
	uint16_t block;    /* of time; 0 where none are told apart: diff/time_blocks.h */
	uint32_t values_hash;
	/* What else the grouping tells apart: a number of sample_values, which is the worker's own and
	 * therefore no part of the hash. The last member. */
	uint32_t values;
};

/* What chains have in common that differ in their innermost address alone. */
struct chain_callers {
	uint64_t hash;
	const struct chain_key
		*key; /* the table's; its cpu_mode is that of the innermost address */
	uint32_t ip_count;
	uint32_t row;                      /* of the table's */
	uint32_t chain_first, chain_count; /* its chains, after chain_table_gather */
	uint64_t ips[];                    /* innermost first */
};

struct chain_callers_row {
	struct chain_callers *callers;
	uint64_t first_offset; /* in the input, of the sample they were first seen in */
};

struct chain {
	uint64_t ip;
	struct chain_callers *callers;
	uint64_t sample_count;
	uint64_t period_sum;
};

/* Callers and keys are in the arena, as are addresses behind the callers whose they are. */
struct chain_table {
	struct arena arena;
	struct idtable key_ids, callers_ids, chain_ids;
	VEC(struct chain_key *) keys; /* in the order of first appearance, as are the others */
	VEC(struct chain_callers_row) callers;
	VEC(struct chain) chains;
};

/* Callers that may or may not be in a table. */
struct chain_wanted {
	const struct chain_key *key;
	const uint64_t *ips;
	uint32_t ip_count;
	uint64_t hash, first_offset;
};

/* A sample that is not in its table yet. */
struct chain_pending {
	struct chain_key key;
	struct chain_wanted callers; /* its key and addresses when it is entered */
	size_t ip_first;             /* of the callers' addresses in pending_ips */
	uint64_t ip, hash, sample_count, period;
};

#define CHAINS_PENDING_COUNT 16

struct chains {
	struct chain_table tables[CHAINS_TABLE_COUNT];
	struct chain_pending pending[CHAINS_PENDING_COUNT];
	size_t pending_count;
	VEC(uint64_t) pending_ips;
};

void chains_init(struct chains *chains);
void chains_deinit(struct chains *chains);

/* Counts one sample with this chain, now or at a later call. offset is where it is in the input. */
void chains_add(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
		uint32_t ip_count, uint64_t period, uint64_t offset);

/* Counts several samples with this chain, which weigh period together. */
void chains_add_several(struct chains *chains, const struct chain_key *key, const uint64_t *ips,
			uint32_t ip_count, uint64_t sample_count, uint64_t period, uint64_t offset);

/* Counts all samples that were added. To be called before tables are looked at. */
void chains_flush(struct chains *chains);

/* Gives the values of all keys new numbers, by their old ones. */
void chain_table_renumber_values(struct chain_table *table, const uint32_t *renumbered);

/* Adds what another table of the same number counted, in its order, and empties it. */
void chain_table_merge(struct chain_table *table, struct chain_table *from);

/* After the last merge: brings the chains of the same callers together, in the callers' order. */
void chain_table_gather(struct chain_table *table);

/* Callers by the number of their table and in it. */
struct chain_callers_place {
	uint32_t table, row;
};

/*
 * All callers in the order they were first seen in: those of one time have their addresses in
 * common. The result is the caller's, to be freed with memory_free.
 */
struct chain_callers_place *chains_order(const struct chains *chains, size_t *count_ret);

/*
 * The mode a context marker announces; ours leave it as it is. False when the value is none the
 * kernel writes: a frame-pointer walk went astray and read some other word.
 */
bool chain_marker_mode(uint64_t marker, enum cpu_mode *ret);

#endif
