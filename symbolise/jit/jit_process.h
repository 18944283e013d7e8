/* SPDX-License-Identifier: MIT */
/*
 * A process with JIT code, and the perf maps that can be its own. The name of a map contains the
 * PID that the process has in its own PID namespace:
 *
 *     not in a container                the PID of the capture
 *     in a container, still running     from /proc
 *     in a container, with a jitdump    from the jitdump's file name, which the capture has
 *     in a container                    unknown
 */
#ifndef SYMBOLISE_JIT_JIT_PROCESS_H
#define SYMBOLISE_JIT_JIT_PROCESS_H

#include "object/host_process.h"
#include "symbolise/source.h"

struct jit_process {
	uint32_t pid; /* PID in the capture */
	/* PID in the process's own PID namespace and in the name of its map; 0 if unknown */
	uint32_t own_pid;
	bool is_sure; /* own_pid is known, not assumed */
	bool is_in_container;
	bool is_running; /* the process is still running on this machine */
	struct host_process process;
};

struct jit_process jit_process_find(const struct naming_context *context,
				    const struct module *module);

/* Maps that belong to the process by PID, or by --symbols PID=FILE. */
typedef VEC(const struct index_file *) map_list;

void jit_process_add_maps(const struct jit_process *process, const struct file_index *index,
			  map_list *maps);

/* Whether a map that cannot be assigned by PID may belong to this process. */
bool jit_process_may_own(const struct jit_process *process, const struct file_index *index,
			 const struct index_file *map);

#endif
