/* SPDX-License-Identifier: MIT */
/*
 * Where the data of a memory access came from: PERF_SAMPLE_DATA_SRC, as PEBS, IBS and SPE record it.
 *
 *     | op 5 | level 14 | snoop 5 | lock 2 | TLB 7 | level number 4 | remote 1 | snoopx 2 | block 3 | hops 3 |
 *       bit 0 ─▶
 *
 * Kernels since 4.14 also set the level number. If the level number is set, kiln ignores the level
 * bits.
 *
 * Source: union perf_mem_data_src in linux/perf_event.h.
 */
#ifndef LIBPARSE_DATA_SOURCE_H
#define LIBPARSE_DATA_SOURCE_H

#include "base/sink.h"

/* The parts of a data source by which rows are distinguished. */
enum data_source_part {
	DATA_SOURCE_LEVEL,
	DATA_SOURCE_SNOOP,
	DATA_SOURCE_TLB,
};

/* The kinds of places that data can come from, the nearest first. */
enum data_level {
	DATA_LEVEL_NONE, /* the level was not recorded, or there was no access */
	DATA_LEVEL_L1,
	DATA_LEVEL_LFB, /* a line of memory that was already on its way to L1 */
	DATA_LEVEL_L2,
	DATA_LEVEL_L3,
	DATA_LEVEL_RAM,
	DATA_LEVEL_REMOTE, /* memory or caches of another node or socket */
	DATA_LEVEL_OTHER,  /* persistent memory, CXL, I/O, uncached memory, unnamed caches */
	DATA_LEVEL_COUNT,
};

bool data_source_is_load(uint64_t source);
bool data_source_is_store(uint64_t source);
bool data_source_is_locked(uint64_t source);
bool data_source_misses_tlb(uint64_t source);

/* Whether another core had modified the cache line (HITM), or supplied the line as a peer. */
bool data_source_is_shared(uint64_t source);
bool data_source_is_remote(uint64_t source);

enum data_level data_source_level(uint64_t source);

/* The bits of a part: sources with the same bits have the same text. */
uint64_t data_source_bits(uint64_t source, enum data_source_part part);

/* Writes a part as perf names it: "L3 hit", "HitM", "L1 or L2 hit"; or "N/A". */
void data_source_write(uint64_t source, enum data_source_part part, struct sink *sink);

#endif
