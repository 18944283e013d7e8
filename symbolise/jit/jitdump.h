/* SPDX-License-Identifier: MIT */
/*
 * What a run-time compiler wrote of the code it made, jit-PID.dump: unlike a perf-PID.map it says
 * when, and has the code itself.
 *
 *     header | LOAD t1 f | LOAD t2 g | MOVE t3 f | LOAD t4 h | ...      each: number, size, time
 *                \_ code at 0x140                                       offset in the file
 *
 *     time   0x7f00 .. 0x7f40 holds       so an address and a time lead to an offset in the
 *     t1     0x140 (f)                    file, and that, for good, to a name
 *     t4     0x9c0 (h)
 *
 * (As linux/tools/perf/Documentation/jitdump-specification.txt has it.)
 */
#ifndef SYMBOLISE_JIT_JITDUMP_H
#define SYMBOLISE_JIT_JITDUMP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "symbolise/elf/symbol_table.h"

/* Code that came to be at an address: compiled there, or moved. */
struct jitdump_code {
	uint64_t time_ns; /* of the dump's clock */
	uint64_t address, size_bytes;
	uint64_t offset; /* in the dump, of the bytes it was compiled to */
	uint64_t moved_from;
	uint32_t pid; /* the process's own number for itself, as the header's */
	bool is_moved;
};

struct jitdump {
	uint32_t pid;
	bool has_processor_clock;       /* its times are the processor's, not of CLOCK_MONOTONIC */
	bool is_cut;                    /* the last record, or what follows it, cannot be read */
	uint32_t damaged_count;         /* records that were left out */
	VEC(struct jitdump_code) codes; /* in the order of the file */
	struct symbol_table symbols;    /* by offset in the dump; finished */
	struct arena arena;             /* their names */
};

/* Reads all of fd, but for the code. On failure there is nothing to deinit; a dump that is damaged
 * further on has what came before. */
bool jitdump_read(struct jitdump *dump, int fd, struct error *err) WARN_UNUSED;
void jitdump_deinit(struct jitdump *dump);

#endif
