/* SPDX-License-Identifier: MIT */
/*
 * A process that compiles at run time, and which of the perf maps on offer may be its own. Maps are
 * called by the number a process has for itself:
 *
 *     not in a container          the number of the capture
 *     in one, and it still runs   what /proc says
 *     in one, with a jitdump      that in the name of the dump, which the capture has
 *     in one                      not known
 */
#ifndef SYMBOLISE_JIT_JIT_PROCESS_H
#define SYMBOLISE_JIT_JIT_PROCESS_H

#include "object/host_process.h"
#include "symbolise/source.h"

struct jit_process {
	uint32_t pid;     /* that of the capture */
	uint32_t own_pid; /* the number it has for itself, by which its map is called; 0: unknown */
	bool is_sure;     /* that this is its number, rather than that nothing says otherwise */
	bool is_in_container;
	bool is_running; /* on this machine */
	struct host_process process;
};

struct jit_process jit_process_find(const struct naming_context *context,
				    const struct module *module);

/* The maps that are its own by their number, or by what the user said. */
typedef VEC(const struct index_file *) map_list;

void jit_process_add_maps(const struct jit_process *process, const struct file_index *index,
			  map_list *maps);

/* Whether the map, which no number says to be of any process, could be its own. */
bool jit_process_may_own(const struct jit_process *process, const struct file_index *index,
			 const struct index_file *map);

#endif
