/* SPDX-License-Identifier: MIT */
/*
 * The text file by which a run-time compiler says what it put where, /tmp/perf-PID.map:
 *
 *     7f3a5c01a000 1c0 LazyCompile:*parse /srv/app.js:12:3      start and size in hexadecimal
 *
 * Lines are added while the process runs, and code that is thrown away makes room for other, so
 * where lines overlap the last one is right. (As java, node, .NET and linux/tools/perf have it.)
 *
 * A map can be much larger than what the samples of a capture need of it. It is read once, a piece at a
 * time, and only the lines that name one of the wanted addresses are kept.
 */
#ifndef SYMBOLISE_JIT_PERF_MAP_H
#define SYMBOLISE_JIT_PERF_MAP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/key_sort.h"
#include "symbolise/elf/symbol_table.h"

struct perf_map_request {
	int fd;
	uint64_t limit_bytes;            /* a larger map is refused */
	const struct key_row *addresses; /* by address, the key, ascending */
	size_t address_count;
};

struct perf_map {
	struct arena names;
	struct symbol_table symbols; /* finished: those that name one of the places */
	uint32_t
		damaged_count; /* lines that made no sense; an unfinished last line is none of them */
	uint64_t size_bytes;   /* as much as was read */
	uint64_t checksum;     /* of that */
};

/* False, and nothing to deinit, when the file cannot be read or is larger than the limit. */
bool perf_map_read(struct perf_map *map, const struct perf_map_request *request,
		   struct error *err) WARN_UNUSED;
void perf_map_deinit(struct perf_map *map);

#endif
