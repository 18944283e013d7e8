/* SPDX-License-Identifier: MIT */
/*
 * The state pass: sorts state events by time and builds the process history. The state also keeps
 * the capture's metadata for the profile.
 *
 *     events (file order) ─ process_state_on_event ─▶ rows ─ process_state_finish: sort, apply ─▶ history
 *
 * Texts are interned, and modules are numbered, in file order, so ids do not depend on the sorting.
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
#include "process/state_rows.h"
#include "process/switch_records.h"
#include "process/wall_clock.h"

/*
 * A build-id that is listed by path. The build-id applies to all mappings of the path that have no
 * build-id of their own.
 */
struct listed_build_id_row {
	str_id path;
	bool is_kernel;
	struct build_id build_id;
};

/* The pid and mount namespaces of a process; 0 if unknown. */
struct process_namespaces {
	uint32_t pid;
	uint64_t pid_namespace, mount_namespace;
};

struct process_state {
	/* maximum for records, names and mappings; UINT64_MAX by default */
	uint64_t memory_bytes_max;
	struct strings *strings;
	struct modules *modules;
	struct arena arena;

	/* Metadata of the capture. Texts are in strings. */
	struct text facts[FACT_COUNT]; /* .at is NULL if unknown */
	struct wall_clock clock;
	VEC(struct event_attr)
	attrs; /* indexed by attr; the fields of tracepoints are in the arena */
	VEC(struct event_record_count) record_counts;
	uint64_t losses[LOSS_KIND_COUNT];
	uint64_t mapping_count; /* mappings of all processes, at all times */

	struct process_history history;
	VEC(struct state_row) rows;
	/* times of the first and last record; 0 if no record has a time */
	uint64_t first_ns, last_ns;
	VEC(struct listed_build_id_row) build_ids;
	VEC(struct process_namespaces) namespaces;
	struct idmap cgroups; /* maps cgroup ids to the str_id of the cgroup's path */
	struct deferred_callchains deferred;
	bool has_ended;
	bool is_timeless;    /* no event has times, so the history is in file order */
	bool keeps_switches; /* keep context switch records; set before the first event */
	VEC(struct recorded_switch) switches;
	uint64_t recounted_count;     /* lost samples that also count as lost records */
	struct loss_spans loss_spans; /* when the kernel dropped records */
};

/* The state adds to strings and modules. Strings and modules must outlive the state. */
void process_state_init(struct process_state *state, struct strings *strings,
			struct modules *modules);
void process_state_deinit(struct process_state *state);

/* Callback of an event_sink. The context is the state. Ignores samples. */
void process_state_on_event(void *context, const struct event *event);

/*
 * Returns the time at which to look up a sample in the history. Without a time of its own, a sample
 * of a timeless capture has the state at its place in the file. Other samples without a time, such
 * as those of texts, have the state at the end.
 */
static inline uint64_t process_state_time_of(const struct process_state *state,
					     const struct event *sample)
{
	if (sample->has_time)
		return sample->time_ns;
	return state->is_timeless ? sample->offset : UINT64_MAX - 1;
}

/*
 * A second callback for the same event_sink. Returns false if records need more than half of
 * memory_bytes_max.
 */
bool process_state_check_memory(void *context, struct error *err) WARN_UNUSED;

/* When JIT code that is described outside the capture was added or removed. */
struct code_moment {
	uint64_t time_ns;
	uint64_t offset; /* in a timeless capture: the record from which the code is mapped */
};

/*
 * Adds or removes JIT code that is described outside the capture. For removal, only start and end
 * of the mapping are used. This function must be called before process_state_finish.
 */
void process_state_map_code(struct process_state *state, struct code_moment from, uint32_t pid,
			    const struct mapping *mapping);
void process_state_unmap_code(struct process_state *state, struct code_moment from, uint32_t pid,
			      const struct mapping *mapping);

/*
 * Must be called after the last event. Assigns listed build-ids to modules, and completes the
 * losses.
 */
void process_state_end_events(struct process_state *state);

/* Calls process_state_end_events if nobody has called it, and builds the history. */
void process_state_finish(struct process_state *state);

#endif
