/* SPDX-License-Identifier: MIT */
/*
 * Merges any number of runs in bounded memory. When there are enough runs of one level, they are
 * merged to one run of the next level, in a temporary file.
 *
 *     level 0   ▪▪▪▪ ─┐  ▪▪▪▪ ─┐  ▪▪        inputs
 *     level 1         ■        ■            each of four inputs; every stack is written once for each level
 */
#ifndef MERGING_RUN_LIST_H
#define MERGING_RUN_LIST_H

#include "base/temporary_space.h"
#include "merging/run.h"

/* Even if only two runs are merged at a time, this many levels suffice for any number of inputs. */
#define RUN_LIST_LEVELS 40

/* The first run in which an event was seen. */
struct run_list_event {
	str_id input;
	enum weight_unit unit;
};

struct run_list {
	VEC(struct run) levels[RUN_LIST_LEVELS];
	uint64_t memory_bytes;  /* for the runs that are merged at the same time */
	uint64_t skipped_count; /* inputs that could not be read; for the summary */
	bool has_failed;        /* runs may be lost, so the sum of the other runs would be wrong */
	size_t together_max;    /* runs of one level */
	struct temporary_space space;
	struct strings strings;
	VEC(struct run_list_event) events;
	VEC(uint32_t) event_of_name; /* by str_id: the row of events; UINT32_MAX if none */
};

/*
 * memory_bytes: the limit for merging. spool_limit_bytes: the limit for temporary files; 0 means
 * the default.
 */
void run_list_init(struct run_list *list, uint64_t memory_bytes, uint64_t spool_limit_bytes);
void run_list_deinit(struct run_list *list);

/*
 * Adds a run, which then belongs to the list, even after a failure. Fails with ERROR_USAGE if one
 * of its events has a different unit in an earlier run. After any other failure, has_failed is set.
 */
bool run_list_add(struct run_list *list, struct run *run, struct error *err) WARN_UNUSED;

/*
 * run_list_create creates a temporary file for a run. When the run has been written to sink,
 * run_list_complete opens it.
 */
bool run_list_create(struct run_list *list, struct input *file, struct sink *sink,
		     struct error *err) WARN_UNUSED;
bool run_list_complete(struct run_list *list, struct input *file, struct sink *sink,
		       struct run *ret, struct error *err) WARN_UNUSED;

/* Writes the sum of all runs. */
bool run_list_merge(struct run_list *list, struct sink *sink, struct error *err) WARN_UNUSED;

#endif
