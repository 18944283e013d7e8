/* SPDX-License-Identifier: MIT */
/*
 * Reads jit-PID.dump, in which a JIT compiler records its code. Unlike a perf-PID.map, a jitdump
 * contains times and code bytes.
 *
 *     header | LOAD t1 f | LOAD t2 g | MOVE t3 f | LOAD t4 h | ...      each: kind, size, time
 *                \_ code at 0x140                                       offset in the file
 *
 *     time   0x7f00 .. 0x7f40 holds       an address and a time lead to an offset in the file,
 *     t1     0x140 (f)                    and that offset always has the same name
 *     t4     0x9c0 (h)
 *
 * Source: linux/tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef SYMBOLISE_JIT_JITDUMP_H
#define SYMBOLISE_JIT_JITDUMP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "symbolise/elf/symbol_table.h"

/* Maximum number of functions in one jitdump, and in all jitdumps of a capture together. Large Java
 * servers have 100,000 functions. Each function needs 1 kB of memory. */
#define LIMIT_JIT_CODES (1u << 20)

/* Code at an address, from a LOAD or MOVE record. */
struct jitdump_code {
	uint64_t time_ns; /* time on the dump's clock */
	uint64_t address, size_bytes;
	uint64_t offset; /* offset of the code bytes in the dump */
	uint64_t moved_from;
	uint32_t pid; /* PID from the header, in the process's own PID namespace */
	bool is_moved;
};

struct jitdump {
	uint32_t pid;
	bool has_processor_clock;       /* times are TSC values, not CLOCK_MONOTONIC */
	bool is_cut;                    /* the file ends within a record */
	uint32_t corrupt_count;         /* corrupt records, skipped */
	VEC(struct jitdump_code) codes; /* code in the order of the file */
	struct symbol_table symbols;    /* finished; addresses are offsets in the dump */
	struct arena arena;             /* owns the names of the symbols */
};

/*
 * Reads all records of fd, without the code bytes. After a failure, jitdump_deinit is not needed.
 * If a dump is truncated, its complete records are kept.
 */
bool jitdump_read(struct jitdump *dump, int fd, struct error *err) WARN_UNUSED;
void jitdump_deinit(struct jitdump *dump);

#endif
