/* SPDX-License-Identifier: MIT */
/*
 * The jitdumps that processes of a capture wrote. Each maps a page of its dump as if to run it, which
 * is how a capture tells of it; the file is looked for under the same number.
 *
 *     capture    mapping of /tmp/jit-7.dump ─┐
 *     user, host jit-7.dump ─────────────────┴─▶ code at times ─▶ state ─▶ places in the dump
 *                                            └─▶ names, for the source of names of such places
 *
 * Codes are in the history like any mapping, so an address means what was there at its time. Where the
 * clocks of the two cannot be compared, that is what was put there last.
 */
#ifndef SYMBOLISE_JIT_JIT_DUMPS_H
#define SYMBOLISE_JIT_JIT_DUMPS_H

#include "base/idmap.h"
#include "object/index.h"
#include "process/process_state.h"
#include "symbolise/jit/jitdump.h"

/* One dump that the capture tells of. */
struct jit_dump {
	module_id marker;  /* the file, as it was mapped */
	module_id module;  /* the code in it: MODULE_JITDUMP */
	uint32_t pid;      /* of the process that mapped it first */
	uint32_t file_pid; /* the process's own number for itself: that of the name */
	bool is_read;
	int fd;              /* when is_read: the file */
	struct jitdump dump; /* when is_read */
	enum match_status match;
	struct text file, reason; /* in the arena; file: NUL behind */
};

struct jit_dumps {
	struct arena arena;
	VEC(struct jit_dump) rows;
	struct idmap by_module, by_process; /* to rows; the latter also of those not found */
	size_t read_count;                  /* pieces of code in all that were read */
	size_t added_count; /* added to the state: once for each process that has a dump */
};

/* Where dumps are looked for. */
struct jit_dumps_options {
	const struct file_index *index; /* what the user offers */
	bool uses_host;                 /* the capture was made on this very machine */
};

void jit_dumps_init(struct jit_dumps *dumps);
void jit_dumps_deinit(struct jit_dumps *dumps);

/* Finds and reads the dumps of all processes of state, and adds their code to it. Once, before
 * process_state_finish. Cannot fail: a dump that is missing or damaged says so when code is to be named. */
void jit_dumps_find(struct jit_dumps *dumps, struct process_state *state,
		    const struct jit_dumps_options *options);

/* The dump that a module's code is in, or that a process wrote; NULL: none. */
const struct jit_dump *jit_dumps_of_module(const struct jit_dumps *dumps, module_id module);
const struct jit_dump *jit_dumps_of_process(const struct jit_dumps *dumps, uint32_t pid);

#endif
