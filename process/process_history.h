/* SPDX-License-Identifier: MIT */
/*
 * Who every process and thread was, at any time of the capture. State events are applied in time
 * order; afterwards nothing changes and lookups may come from any thread, in any order of time:
 *
 *     thread 42   t0 "bash" ──────── t3 "make" ─────────── t9 "make worker"
 *     process 40  t0 space 5 ── t1 space 6 ── t3 space 0 ── t4 space 7 ...
 *     kernel      t0 space 2 ───────────────────── t5 space 8 (a module was loaded)
 */
#ifndef PROCESS_PROCESS_HISTORY_H
#define PROCESS_PROCESS_HISTORY_H

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"
#include "process/address_space.h"

/* From time_ns on, until the next state of the same list. */
struct history_entry {
	uint64_t time_ns;
	uint32_t value; /* a str_id for a thread's name, a space_id for a process's mappings */
};

struct history_task {
	uint32_t key; /* tid of a thread, pid of a process */
	VEC(struct history_entry) states;
};

struct history_tasks {
	VEC(struct history_task) rows;
	struct idtable table;
};

struct process_history {
	struct address_spaces spaces;
	struct history_tasks threads;
	struct history_tasks processes;
	struct history_tasks replaced; /* by pid: what was mapped before the last exec */
	bool keeps_maps_on_exec;       /* as perf does; set before the first event */
	struct history_task kernel;
};

/* No state at that time. */
#define PROCESS_HISTORY_NONE UINT32_MAX

void process_history_init(struct process_history *history);
void process_history_deinit(struct process_history *history);

/* Apply one state event; calls come in the order of time. */
void process_history_comm(struct process_history *history, uint64_t time_ns, uint32_t pid,
			  uint32_t tid, str_id comm, bool is_exec);
void process_history_fork(struct process_history *history, uint64_t time_ns,
			  const struct event_fork *fork);
void process_history_map(struct process_history *history, uint64_t time_ns, uint32_t pid,
			 const struct mapping *mapping);
/* Where the mapping is, nothing of its layer is left. */
void process_history_unmap(struct process_history *history, uint64_t time_ns, uint32_t pid,
			   const struct mapping *mapping);
void process_history_kernel_map(struct process_history *history, uint64_t time_ns,
				const struct mapping *mapping);
void process_history_kernel_unmap(struct process_history *history, uint64_t time_ns, uint64_t start,
				  uint64_t end);

/* What holds at one time, and the span of time [from, until) in which nothing of it changes. */
struct process_moment {
	uint32_t comm; /* a str_id, or PROCESS_HISTORY_NONE */
	space_id space;
	space_id replaced_space; /* before the last exec: execve itself still returns there */
	space_id kernel_space;
	uint64_t from_ns, until_ns;
};

/* What holds for a thread at a time. */
struct process_moment process_history_find(const struct process_history *history, uint32_t pid,
					   uint32_t tid, uint64_t time_ns);

#endif
