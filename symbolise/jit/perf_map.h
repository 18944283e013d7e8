/* SPDX-License-Identifier: MIT */
/*
 * Reads /tmp/perf-PID.map, the text file in which a JIT compiler lists its code:
 *
 *     7f3a5c01a000 1c0 LazyCompile:*parse /srv/app.js:12:3      start and size in hexadecimal
 *
 * The process appends lines while it runs. Memory of discarded code is reused. If lines overlap,
 * the last line is therefore right. Source: Java, Node.js, .NET and linux/tools/perf.
 *
 * A map can be huge, so kiln reads it once, in pieces, and keeps only lines that name a wanted
 * address.
 */
#ifndef SYMBOLISE_JIT_PERF_MAP_H
#define SYMBOLISE_JIT_PERF_MAP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/key_sort.h"
#include "symbolise/elf/symbol_table.h"

struct perf_map_request {
	int fd;
	uint64_t limit_bytes;            /* maximum size of the map */
	const struct key_row *addresses; /* ascending by key, the address */
	size_t address_count;
};

struct perf_map {
	struct arena names;
	struct symbol_table symbols; /* finished; only symbols that name a wanted address */
	uint32_t corrupt_count;      /* corrupt lines, not counting a truncated last line */
	uint64_t size_bytes;         /* bytes read so far */
	uint64_t checksum;           /* checksum of the bytes read so far */
};

/*
 * If the file cannot be read or exceeds the limit, returns false. perf_map_deinit is then not
 * needed.
 */
bool perf_map_read(struct perf_map *map, const struct perf_map_request *request,
		   struct error *err) WARN_UNUSED;
void perf_map_deinit(struct perf_map *map);

#endif
