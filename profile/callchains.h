/* SPDX-License-Identifier: MIT */
/*
 * Stores distinct raw callchains with their counts. Most samples repeat a callchain, so a callchain
 * is hashed as recorded, and resolved only once. The innermost address varies most and is kept
 * apart from its callers.
 *
 *     (event, comm, address spaces) + return addresses ──hash──▶ callers ◀─────┐
 *     callers + ip ─────────────────────────────────────hash──▶ callchain ─────┘ sample_count,
 *                                                                                period_sum
 *
 * A lookup causes several cache misses, so samples are added in batches whose misses overlap.
 *
 * Each worker has its own set of tables. As long as callchains repeat, the sets of all workers are
 * merged after each round. The hash of a callchain selects its table, so that different tables are
 * merged in parallel. A worker that resolves its own callchains uses a single table.
 */
#ifndef PROFILE_CALLCHAINS_H
#define PROFILE_CALLCHAINS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "process/address_space.h"

/*
 * Must be a power of two. The order of callchains depends on this number, so it must not depend on
 * the number of threads.
 */
#define CALLCHAINS_TABLE_COUNT 16

/* Stands for the ip of a callchain without addresses. */
#define CALLCHAIN_NO_IP UINT64_MAX

/*
 * kiln's own markers among the entries of a callchain. All entries after CALLCHAIN_EXACT are
 * instructions that ran, and all entries after CALLCHAIN_RETURNS are return addresses. After other
 * markers, only the first entry is not a return address.
 */
#define CALLCHAIN_EXACT   ((uint64_t)-4001)
#define CALLCHAIN_RETURNS ((uint64_t)-4002)
/* Follows the last known address if outer frames are missing. */
#define CALLCHAIN_TRUNCATED ((uint64_t)-4003)
/*
 * After these markers, one entry follows that is not an address: an enum interval_mark,
 * nanoseconds, or a link of struct linked_callchains.
 */
#define CALLCHAIN_MARK     ((uint64_t)-4004)
#define CALLCHAIN_DURATION ((uint64_t)-4005)
#define CALLCHAIN_WAKER    ((uint64_t)-4006)

/*
 * How the entries after a marker are read. Entries before the first marker are read by the sample's
 * CPU mode.
 */
enum entry_kind {
	/* Addresses, in the CPU mode of the same value. */
	ENTRY_UNKNOWN = CPU_MODE_UNKNOWN,
	ENTRY_KERNEL = CPU_MODE_KERNEL,
	ENTRY_USER = CPU_MODE_USER,
	ENTRY_HYPERVISOR = CPU_MODE_HYPERVISOR,
	ENTRY_GUEST_KERNEL = CPU_MODE_GUEST_KERNEL,
	ENTRY_GUEST_USER = CPU_MODE_GUEST_USER,
	/* a kernel function that a sample's field points to, but that did not run */
	ENTRY_KERNEL_POINTER = 8,
	ENTRY_MARK = 9,      /* an enum interval_mark */
	ENTRY_DURATION = 10, /* nanoseconds, or an individual interval (profile/interval.h) */
	ENTRY_WAKER = 11,    /* a link of offcpu/wakers.h */
	ENTRY_TEXT = 12,     /* text captures: the id of a raw text */
};

#define ENTRY_KIND_COUNT (ENTRY_TEXT + 1)

/* Two samples have the same stack only if their addresses and all these members are equal. */
struct callchain_key {
	uint64_t head; /* text captures: replaces event, comm and spaces (text_samples.h) */
	uint32_t event;
	uint32_t comm; /* a str_id, or PROCESS_HISTORY_NONE: unnamed_tid identifies the thread */
	uint32_t unnamed_tid;
	uint32_t pid, tid, cpu; /* 0 unless stacks are grouped by them */
	space_id space;
	space_id replaced_space; /* the space before an exec that is in progress */
	space_id kernel_space;
	uint16_t entry_kind; /* enum entry_kind of the entries before the first marker */
	uint16_t time_bin;   /* profile/time_bins.h; 0 if samples are not binned by time */
	uint32_t values_hash;
	/*
	 * Other group values: an index into sample_values. The index differs between workers, so it
	 * is not hashed. Must be the last member.
	 */
	uint32_t values;
};

/* The callers of callchains that differ only in their innermost address. */
struct callchain_callers {
	uint64_t hash;
	/* the table's copy; entry_kind is that of the innermost address */
	const struct callchain_key *key;
	uint32_t ip_count;
	uint32_t row;                      /* row in the table */
	uint32_t chain_first, chain_count; /* its callchains, after callchain_table_gather */
	uint64_t ips[];                    /* innermost first */
};

struct callchain_callers_row {
	struct callchain_callers *callers;
	uint64_t first_offset; /* offset of their first sample in the input */
};

struct callchain {
	uint64_t ip;
	struct callchain_callers *callers;
	uint64_t sample_count;
	uint64_t period_sum;
};

typedef VEC(struct callchain) callchain_rows;

/* The arena stores keys and callers; addresses follow their callers directly. */
struct callchain_table {
	struct arena arena;
	struct idtable key_ids, callers_ids, callchain_ids;
	VEC(struct callchain_key *) keys; /* all rows are in order of first appearance */
	VEC(struct callchain_callers_row) callers;
	callchain_rows chains;
	callchain_rows gathered; /* unused memory for callchain_table_gather */
};

/* Callers to look up. */
struct callchain_wanted {
	const struct callchain_key *key;
	const uint64_t *ips;
	uint32_t ip_count;
	uint64_t hash, first_offset;
};

/* A sample that is not in a table yet. */
struct callchain_pending {
	struct callchain_key key;
	struct callchain_wanted callers; /* key and ips are set when the sample is added */
	size_t ip_first;                 /* index of its first address in pending_ips */
	uint64_t ip, hash, sample_count, period;
};

#define CALLCHAINS_PENDING_COUNT 16

struct callchains {
	struct callchain_table tables[CALLCHAINS_TABLE_COUNT];
	uint32_t table_count; /* callchains are added to the first tables; a power of two */
	struct callchain_pending pending[CALLCHAINS_PENDING_COUNT];
	size_t pending_count;
	uint64_t added_count; /* callchains that were added, repeated or not */
	VEC(uint64_t) pending_ips;
};

/*
 * Removes the innermost address and sets its kind in the key; the callers remain. A callchain that
 * begins with an invalid marker has no innermost address, because the entries after it are
 * unreliable: returns CALLCHAIN_NO_IP.
 */
uint64_t callchain_split(struct callchain_key *key, const uint64_t **ips, uint32_t *ip_count);

/* Hashes a key, except its values, which values_hash covers. */
uint64_t callchain_key_hash(const struct callchain_key *key);

void callchains_init(struct callchains *chains);
void callchains_deinit(struct callchains *chains);

/*
 * Adds callchains only to the first table, if they are not merged with those of other workers. One
 * table needs fewer pages than several, so that its lookups are faster. Must be called before
 * callchains are added.
 */
void callchains_use_one_table(struct callchains *chains);

/* Removes all callchains, but keeps the memory. */
void callchains_clear(struct callchains *chains);

/* Counts one sample, immediately or in a later call. offset: of the sample in the input. */
void callchains_add(struct callchains *chains, const struct callchain_key *key, const uint64_t *ips,
		    uint32_t ip_count, uint64_t period, uint64_t offset);

/* Counts several samples with the sum of their periods. */
void callchains_add_several(struct callchains *chains, const struct callchain_key *key,
			    const uint64_t *ips, uint32_t ip_count, uint64_t sample_count,
			    uint64_t period, uint64_t offset);

/* Counts all pending samples. Must be called before tables are read. */
void callchains_flush(struct callchains *chains);

/* Renumbers the values of all keys. */
void callchain_table_renumber_values(struct callchain_table *table, const uint32_t *renumbered);

/*
 * Adds the counts of `from`, in the order of `from`, and empties `from`. `from` is another worker's
 * table with the same index.
 */
void callchain_table_merge(struct callchain_table *table, struct callchain_table *from);

/*
 * Groups the callchains by their callers. Must be called after the last merge; nothing may be added
 * until callchains_clear.
 */
void callchain_table_gather(struct callchain_table *table);

/* Frees the memory that only lookups need, after callchain_table_gather. */
void callchain_table_end(struct callchain_table *table);

/* The number of distinct callchains that have been counted. */
size_t callchains_count(const struct callchains *chains);

/* The memory for addresses and keys, which is most of the memory if callchains are long. */
size_t callchains_size_bytes(const struct callchains *chains);

/* Callers, and their table. */
struct callchain_callers_place {
	const struct callchain_callers *callers;
	uint64_t first_offset; /* of their first sample in the input */
	uint32_t table;
};

/*
 * Returns all callers in order of first appearance, because callers that are close in time share
 * addresses. The caller frees the result with memory_free.
 */
struct callchain_callers_place *callchains_order(const struct callchains *chains,
						 size_t *count_ret);

/*
 * The kind of the entries after a marker. CALLCHAIN_EXACT, _RETURNS and _TRUNCATED leave *ret
 * unchanged. Returns false if the value is not a marker, because a frame-pointer walk read garbage.
 */
bool callchain_marker_kind(uint64_t marker, enum entry_kind *ret);

#endif
