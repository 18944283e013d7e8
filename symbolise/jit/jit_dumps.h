/* SPDX-License-Identifier: MIT */
/*
 * Finds the jitdumps of a capture. A process maps one page of its jitdump as executable. The
 * capture therefore contains the path of the jitdump. kiln finds the file by the PID in its name.
 *
 *     capture      mapping of /tmp/jit-7.dump ─┐
 *     user, host   jit-7.dump ─────────────────┴─▶ code with times ─▶ process history ─▶ offsets in the dump
 *                                              └─▶ names of these offsets
 *
 * JIT code is in the process history like any mapping. An address therefore belongs to the code
 * that was there at the time of the sample. If the clocks of dump and capture differ, the last code
 * at the address counts.
 */
#ifndef SYMBOLISE_JIT_JIT_DUMPS_H
#define SYMBOLISE_JIT_JIT_DUMPS_H

#include "base/idmap.h"
#include "object/index.h"
#include "process/process_state.h"
#include "symbolise/jit/jitdump.h"

/* A jitdump that the capture mentions. */
struct jit_dump {
	module_id marker;  /* the jitdump as it was mapped */
	module_id module;  /* the code in the jitdump: MODULE_JITDUMP */
	uint32_t pid;      /* the first process that mapped the jitdump */
	uint32_t file_pid; /* PID in the file name: in the process's own PID namespace */
	bool is_read;
	int fd;              /* the file, if is_read is set */
	struct jitdump dump; /* when is_read */
	enum match_status match;
	struct text file, reason; /* live in the arena; file is NUL-terminated */
};

struct jit_dumps {
	struct arena arena;
	VEC(struct jit_dump) rows;
	struct idmap by_module,
		/*
		 * Rows sorted by module, and rows sorted by PID. by_process includes dumps that
		 * were not found.
		 */
		by_process;
	size_t read_count;  /* code records in all jitdumps that were read */
	size_t added_count; /* code records added to the state, once per process */
};

/* Where to search for jitdumps. */
struct jit_dumps_options {
	const struct file_index *index; /* --symbols */
	bool uses_host;                 /* the capture was made on this machine */
	const struct host_roots *roots; /* see object/host_process.h */
};

void jit_dumps_init(struct jit_dumps *dumps);
void jit_dumps_deinit(struct jit_dumps *dumps);

/*
 * Finds and reads the jitdumps of all processes, and adds their code to state. Must be called once,
 * before process_state_finish. jit_dumps_find cannot fail; symbolise reports missing or corrupt
 * dumps.
 */
void jit_dumps_find(struct jit_dumps *dumps, struct process_state *state,
		    const struct jit_dumps_options *options);

/* Returns the jitdump of a process, or NULL if there is none. */
const struct jit_dump *jit_dumps_of_process(const struct jit_dumps *dumps, uint32_t pid);

#endif
