/* SPDX-License-Identifier: MIT */
/*
 * Memory accesses (perf mem record), summed by the key of a table's rows: the source of the data,
 * the function, or the data's address. The cost of an access is its recorded weight, usually its
 * latency in cycles, and at least 1, as in perf mem report.
 *
 *     sample  ip 0x401000  address 0x7f0040  L3 hit, HitM  weight 82
 *     by level                     L3 hit          cost 82
 *     by cache line                0x7f0040        cost 82, of a line that another core had modified
 */
#ifndef ANNOTATE_MEMORY_STATS_H
#define ANNOTATE_MEMORY_STATS_H

#include "base/strings.h"
#include "libparse/data_source.h"
#include "libparse/event.h"
#include "profile/location.h"

/* Cores share memory in lines of this size on x86 and on most other machines. */
#define MEMORY_LINE_BYTES 64u

/* Threads listed for a cache line. More threads share a line only if it holds a global lock. */
#define LIMIT_LINE_THREADS 256u

/* Variables listed for a cache line: one for each byte. */
#define LIMIT_LINE_PLACES MEMORY_LINE_BYTES

enum memory_by {
	MEMORY_BY_LEVEL,
	MEMORY_BY_SNOOP,
	MEMORY_BY_TLB,
	MEMORY_BY_FUNCTION,
	MEMORY_BY_DSO,
	MEMORY_BY_ADDRESS,
	MEMORY_BY_LINE,
	MEMORY_BY_ACCESS, /* an offset in a cache line, and the function and thread that use it */
};

/* Identifies a row; unused parts are 0. */
struct memory_key {
	uint64_t place;       /* bits of a data source, or a data address */
	uint32_t owner;       /* owner of the address: a PID, or a MEMORY_OWNER_* */
	location_id location; /* code location; LOCATION_NONE if unused or unknown */
	uint32_t tid;
};

/* Addresses of the kernel, and physical addresses, are the same in all processes. */
#define MEMORY_OWNER_KERNEL   UINT32_MAX
#define MEMORY_OWNER_PHYSICAL (UINT32_MAX - 1)

/* A thread that uses a cache line. */
struct memory_thread {
	uint32_t tid;
	str_id comm; /* in the strings of memory_stats */
	uint64_t load_count, store_count;
};

/*
 * What lies at a data address. If the address is in anonymous memory right after a file's data, it
 * may be in the .bss of that file.
 */
struct memory_place {
	location_id mapped; /* in the module that is mapped there; LOCATION_NONE if unknown */
	location_id bss;    /* in the module before the anonymous memory, or LOCATION_NONE */
	uint64_t count;     /* accesses, in a memory_row */
};

#define MEMORY_PLACE_NONE ((struct memory_place){ LOCATION_NONE, LOCATION_NONE, 0 })

struct memory_sums {
	uint64_t sample_count, load_count, store_count, locked_count, tlb_miss_count;
	uint64_t level_counts[DATA_LEVEL_COUNT];
	/* accesses to a line in another core's cache, and how many of these were remote */
	uint64_t shared_count, remote_shared_count;
	uint64_t cost;
	VEC(uint64_t) weights; /* only those recorded */
};

struct memory_row {
	struct memory_key key;
	str_id comm; /* of key.tid, in the strings of memory_stats */
	struct memory_sums sums;
	VEC(struct memory_thread) threads; /* only for cache lines; at most LIMIT_LINE_THREADS */
	/* only for rows by data address: distinct places, in the order of their first use; at most
	 * LIMIT_LINE_PLACES */
	VEC(struct memory_place) places;
};

struct memory_stats {
	enum memory_by by;
	struct strings strings;
	VEC(struct memory_row) rows;
	struct idtable row_table;
	uint64_t sample_count, cost;
	uint64_t other_count;       /* samples of instructions that do not access memory */
	uint64_t addressless_count; /* accesses whose address was not recorded; not counted */
	bool has_weights, has_physical;
	bool has_places; /* something is known to be mapped at an address */
};

/* A memory access, with properties that the caller looked up. */
struct memory_access {
	const struct event_sample *sample;
	uint64_t weight;      /* 0 if not recorded */
	location_id location; /* of the instruction, or LOCATION_NONE */
	struct memory_place place;
	struct text comm;
};

void memory_stats_init(struct memory_stats *stats, enum memory_by by);
void memory_stats_deinit(struct memory_stats *stats);

void memory_stats_add(struct memory_stats *stats, const struct memory_access *access);

/* Adds the sums of one row to those of another. */
void memory_sums_add(struct memory_sums *to, const struct memory_sums *from);
void memory_sums_deinit(struct memory_sums *sums);

/* The kernel has the upper half of the address range. */
static inline bool memory_is_kernel_address(uint64_t address)
{
	return address >> 63;
}

/* Whether each row represents one data address or cache line. */
static inline bool memory_by_has_address(enum memory_by by)
{
	return by >= MEMORY_BY_ADDRESS;
}

#endif
