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
 * waits can overlap; callchains_flush enters them.
 *
 * The tables are all that is kept of the samples, and there are several: which one a chain is in
 * its hash decides. Workers have a set each, which is merged into that of the whole capture, and
 * emptied, before it has seen too many; tables of different numbers are merged at the same time.
 */
#ifndef PROFILE_CALLCHAINS_H
#define PROFILE_CALLCHAINS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "process/address_space.h"

/* A power of two, whatever the number of threads: the order of chains depends on it. */
#define CALLCHAINS_TABLE_COUNT 16

/* The ip of a chain without any address. No address, as it is above CALLCHAIN_MARKER_FIRST. */
#define CALLCHAIN_NO_IP UINT64_MAX

/*
 * Among the entries of a chain, markers of ours. Those behind them, up to the next marker, are all
 * instructions that ran, or all return addresses: else only the first behind a marker is no return
 * address.
 */
#define CALLCHAIN_EXACT   ((uint64_t)-4001)
#define CALLCHAIN_RETURNS ((uint64_t)-4002)
/* Behind the outermost address that is known of a stack: there were more, which were not recorded. */
#define CALLCHAIN_TRUNCATED ((uint64_t)-4003)
/* One entry follows, which is no address: an enum interval_mark, nanoseconds, or a link of
 * struct linked_callchains. */
#define CALLCHAIN_MARK     ((uint64_t)-4004)
#define CALLCHAIN_DURATION ((uint64_t)-4005)
#define CALLCHAIN_WAKER    ((uint64_t)-4006)

/* How the entries behind a marker are read. A sample's CPU mode says it of those before the first. */
enum entry_kind {
	/* Addresses, in the CPU mode of the same value. */
	ENTRY_UNKNOWN = CPU_MODE_UNKNOWN,
	ENTRY_KERNEL = CPU_MODE_KERNEL,
	ENTRY_USER = CPU_MODE_USER,
	ENTRY_HYPERVISOR = CPU_MODE_HYPERVISOR,
	ENTRY_GUEST_KERNEL = CPU_MODE_GUEST_KERNEL,
	ENTRY_GUEST_USER = CPU_MODE_GUEST_USER,
	ENTRY_KERNEL_POINTER =
		8,           /* a kernel function's address, from a sample's data: it did not run */
	ENTRY_MARK = 9,      /* an enum interval_mark */
	ENTRY_DURATION = 10, /* nanoseconds */
	ENTRY_WAKER = 11,    /* a link of offcpu/wakers.h */
};

/* What must agree, beside the addresses, for two samples to have the same stack. */
struct callchain_key {
	uint64_t head; /* of text captures, in the place of event, comm and spaces: text_samples */
	uint32_t event;
	uint32_t
		comm; /* a str_id, or PROCESS_HISTORY_NONE: then the thread is known by tid alone */
	uint32_t unnamed_tid;
	uint32_t pid, tid, cpu; /* 0 where the grouping does not tell them apart */
	space_id space;
	space_id replaced_space; /* what an exec under way has unmapped already */
	space_id kernel_space;
	uint16_t entry_kind; /* of entries before the first marker */
	uint16_t time_bin;   /* profile/time_bins.h; 0 if samples are not binned by time */
	uint32_t values_hash;
	/* What else the grouping tells apart: a number of sample_values, which is the worker's own and
	 * therefore no part of the hash. The last member. */
	uint32_t values;
};

/* What chains have in common that differ in their innermost address alone. */
struct callchain_callers {
	uint64_t hash;
	const struct callchain_key
		*key; /* the table's; its entry_kind is that of the innermost address */
	uint32_t ip_count;
	uint32_t row;                      /* of the table's */
	uint32_t chain_first, chain_count; /* its chains, after callchain_table_gather */
	uint64_t ips[];                    /* innermost first */
};

struct callchain_callers_row {
	struct callchain_callers *callers;
	uint64_t first_offset; /* in the input, of the sample they were first seen in */
};

struct callchain {
	uint64_t ip;
	struct callchain_callers *callers;
	uint64_t sample_count;
	uint64_t period_sum;
};

/* Callers and keys are in the arena, as are addresses behind the callers whose they are. */
struct callchain_table {
	struct arena arena;
	struct idtable key_ids, callers_ids, callchain_ids;
	VEC(struct callchain_key *) keys; /* in the order of first appearance, as are the others */
	VEC(struct callchain_callers_row) callers;
	VEC(struct callchain) chains;
};

/* Callers that may or may not be in a table. */
struct callchain_wanted {
	const struct callchain_key *key;
	const uint64_t *ips;
	uint32_t ip_count;
	uint64_t hash, first_offset;
};

/* A sample that is not in its table yet. */
struct callchain_pending {
	struct callchain_key key;
	struct callchain_wanted callers; /* its key and addresses when it is entered */
	size_t ip_first;                 /* of the callers' addresses in pending_ips */
	uint64_t ip, hash, sample_count, period;
};

#define CALLCHAINS_PENDING_COUNT 16

struct callchains {
	struct callchain_table tables[CALLCHAINS_TABLE_COUNT];
	struct callchain_pending pending[CALLCHAINS_PENDING_COUNT];
	size_t pending_count;
	VEC(uint64_t) pending_ips;
};

void callchains_init(struct callchains *chains);
void callchains_deinit(struct callchains *chains);

/* Counts one sample with this chain, now or at a later call. offset is where it is in the input. */
void callchains_add(struct callchains *chains, const struct callchain_key *key, const uint64_t *ips,
		    uint32_t ip_count, uint64_t period, uint64_t offset);

/* Counts several samples with this chain, which weigh period together. */
void callchains_add_several(struct callchains *chains, const struct callchain_key *key,
			    const uint64_t *ips, uint32_t ip_count, uint64_t sample_count,
			    uint64_t period, uint64_t offset);

/* Counts all samples that were added. To be called before tables are looked at. */
void callchains_flush(struct callchains *chains);

/* Gives the values of all keys new numbers, by their old ones. */
void callchain_table_renumber_values(struct callchain_table *table, const uint32_t *renumbered);

/* Adds what another table of the same number counted, in its order, and empties it. */
void callchain_table_merge(struct callchain_table *table, struct callchain_table *from);

/* After the last merge: brings the chains of the same callers together, in the callers' order. */
void callchain_table_gather(struct callchain_table *table);

/* Callers by the number of their table and in it. */
struct callchain_callers_place {
	uint32_t table, row;
};

/*
 * All callers in the order they were first seen in: those of one time have their addresses in
 * common. The result is the caller's, to be freed with memory_free.
 */
struct callchain_callers_place *callchains_order(const struct callchains *chains,
						 size_t *count_ret);

/*
 * The kind of the entries behind a marker. CALLCHAIN_EXACT, _RETURNS and _TRUNCATED leave *ret as it is.
 * False for a value that is no marker: a frame-pointer walk read garbage.
 */
bool callchain_marker_kind(uint64_t marker, enum entry_kind *ret);

#endif
