/* SPDX-License-Identifier: MIT */
/*
 * The first pass: state events in the order they stand in the input become a history in the
 * order of time, and everything else a capture says of itself is kept for the profile.
 *
 *     events (file order) ─ process_state_on_event ─▶ rows ─ process_state_finish: sort by time, apply ─▶ history
 *
 * Text is interned and modules are numbered in file order, so ids do not depend on the sorting.
 */
#ifndef PROCESS_PROCESS_STATE_H
#define PROCESS_PROCESS_STATE_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/strings.h"
#include "process/deferred.h"
#include "process/loss.h"
#include "process/module.h"
#include "process/process_history.h"
#include "process/wall_clock.h"

/* One state event, kept until all are there and can be put in order. */
struct process_state_row {
	uint64_t time_ns; /* 0: no time, which means before all others */
	enum {
		STATE_COMM,
		STATE_EXEC, /* a comm that comes with a new program */
		STATE_FORK,
		STATE_MAP,
		STATE_MAP_DATA, /* nothing there is code any more */
		STATE_UNMAP,
		STATE_KERNEL_MAP,
		STATE_KERNEL_UNMAP,
	} kind;
	uint32_t pid, tid;
	union {
		str_id comm;
		struct event_fork fork;
		struct mapping mapping;
	};
};

/* A build-id of the capture's table: it belongs to every mapping of that path without its own. */
struct listed_build_id_row {
	str_id path;
	bool is_kernel;
	struct build_id build_id;
};

/* In which numbering of processes one is, and what it sees mounted; 0: not known. */
struct process_namespaces {
	uint32_t pid;
	uint64_t pid_namespace, mount_namespace;
};

struct recorded_switch {
	uint64_t time_ns, offset;
	struct event_context_switch context_switch;
};

struct process_state {
	struct strings *strings;
	struct modules *modules;
	struct arena arena;

	/* What the capture records about itself; text is in strings. */
	struct text facts[FACT_COUNT]; /* .at NULL: unknown */
	struct wall_clock clock;
	VEC(struct event_attr) attrs; /* by index; fields are in the arena */
	VEC(struct event_record_count) record_counts;
	uint64_t losses[LOSS_KIND_COUNT];
	uint64_t mapping_count; /* of all processes, at all times */

	struct process_history history;
	VEC(struct process_state_row) rows;
	uint64_t first_ns, last_ns; /* of all that have a time; 0: none has */
	VEC(struct listed_build_id_row) build_ids;
	VEC(struct process_namespaces) namespaces;
	struct idmap cgroups; /* ids to the str_ids of their paths */
	struct deferred_callchains deferred;
	bool has_ended;
	bool keeps_switches; /* those that records tell of; set before the first event */
	VEC(struct recorded_switch) switches;
	uint64_t recounted_count;     /* lost samples that are among the lost records too */
	struct loss_spans loss_spans; /* when the kernel told that it had dropped records */
	module_id kernel_module;
};

/* strings and modules are filled, and outlive the state. */
void process_state_init(struct process_state *state, struct strings *strings,
			struct modules *modules);
void process_state_deinit(struct process_state *state);

/* An event_sink's take: context is the state. Samples are not for it. */
void process_state_on_event(void *context, const struct event *event);

/* Code of a process that something else than the capture tells of: from time_ns on it is there, or
 * (only start and end of the mapping count) gone. Before process_state_finish. */
void process_state_map_code(struct process_state *state, uint64_t time_ns, uint32_t pid,
			    const struct mapping *mapping);
void process_state_unmap_code(struct process_state *state, uint64_t time_ns, uint32_t pid,
			      const struct mapping *mapping);

/* After the last event: gives modules the build-ids that the capture lists by path, and completes the losses. */
void process_state_end_events(struct process_state *state);

/* Does that if it is not done, and builds the history. */
void process_state_finish(struct process_state *state);

#endif
