/* SPDX-License-Identifier: MIT */
/*
 * The names and mappings of all processes and threads over time. Sideband events are applied in
 * time order. When all events have been applied, the history is constant, and any thread may look
 * up any time:
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

/* A value from time_ns until the next entry. */
struct history_entry {
	uint64_t time_ns;
	uint32_t value; /* a str_id (comm of a thread) or space_id (mappings of a process) */
};

struct history_task {
	uint32_t key; /* tid of a thread, pid of a process */
	uint32_t pid; /* for a thread: the thread's process, as last recorded */
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
	struct history_tasks replaced; /* the mappings before the last exec, by pid */
	struct history_tasks data;     /* all mappings, code and data, if keeps_data is set */
	/* an exec keeps the mappings, as in perf; set before the first event */
	bool keeps_maps_on_exec;
	bool keeps_data; /* keep data mappings; set before the first event */
	/* maximum memory for mappings; set before the first event; UINT64_MAX by default */
	uint64_t mapping_bytes_max;
	/* mapping changes that were dropped because of mapping_bytes_max */
	uint64_t dropped_count;
	struct history_task kernel;
};

/* Size of a buffer for the name of a thread without a COMM record. */
#define COMM_BYTES 16

/* Means that there is no value at that time. */
#define PROCESS_HISTORY_NONE UINT32_MAX

void process_history_init(struct process_history *history);
void process_history_deinit(struct process_history *history);

/*
 * Each of these functions applies an event. Events must be applied in time order. A mapping change
 * that exceeds mapping_bytes_max leaves the process without mappings. Missing names are better than
 * wrong names.
 */
void process_history_comm(struct process_history *history, uint64_t time_ns, uint32_t pid,
			  uint32_t tid, str_id comm, bool is_exec);
void process_history_fork(struct process_history *history, uint64_t time_ns,
			  const struct event_fork *fork);
void process_history_map(struct process_history *history, uint64_t time_ns, uint32_t pid,
			 const struct mapping *mapping);
/* Adds a mapping of code or data to `data`. Does nothing without keeps_data. */
void process_history_map_data(struct process_history *history, uint64_t time_ns, uint32_t pid,
			      const struct mapping *mapping);
/* Removes what was mapped in the mapping's range and layer. */
void process_history_unmap(struct process_history *history, uint64_t time_ns, uint32_t pid,
			   const struct mapping *mapping);
void process_history_kernel_map(struct process_history *history, uint64_t time_ns,
				const struct mapping *mapping);
void process_history_kernel_unmap(struct process_history *history, uint64_t time_ns, uint64_t start,
				  uint64_t end);

/*
 * The state of a thread at a given time, and the interval [from, until) in which the state does not
 * change.
 */
struct process_moment {
	uint32_t comm; /* a str_id, or PROCESS_HISTORY_NONE */
	space_id space;
	/* the mappings before the last exec, in which execve itself was called */
	space_id replaced_space;
	space_id kernel_space;
	uint64_t from_ns, until_ns;
};

/* Returns the process of a thread, as last recorded, or PROCESS_HISTORY_NONE. */
uint32_t process_history_pid(const struct process_history *history, uint32_t tid);

/* Returns the name that a thread had at the end. The name has the form that comm_text returns. */
struct text process_history_last_comm(const struct process_history *history,
				      const struct strings *strings, uint32_t tid,
				      char buffer[COMM_BYTES]);

/* All mappings of a process at a time, code and data. */
space_id process_history_find_data(const struct process_history *history, uint32_t pid,
				   uint64_t time_ns);

/* The state of a thread at a time. */
struct process_moment process_history_find(const struct process_history *history, uint32_t pid,
					   uint32_t tid, uint64_t time_ns);

/*
 * The name of a thread. comm: a str_id. If comm is PROCESS_HISTORY_NONE, the name is ":4711" as in
 * perf, or "swapper" for thread 0. The text is in strings, in buffer, or constant.
 */
static inline struct text comm_text(const struct strings *strings, uint32_t comm, uint32_t tid,
				    char buffer[COMM_BYTES])
{
	if (comm != PROCESS_HISTORY_NONE)
		return strings_get(strings, (str_id){ comm });
	if (tid == 0)
		return text_of("swapper");
	snprintf(buffer, COMM_BYTES, ":%d", (int32_t)tid);
	return text_of(buffer);
}

#endif
