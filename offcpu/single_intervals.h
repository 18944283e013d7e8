/* SPDX-License-Identifier: MIT */
/*
 * Chooses the intervals that kiln report --latency shows individually, with their time and thread:
 * the longest of each stack, and the longest of all. Samples are read only once, in parallel, so
 * the longest interval is not known in advance. Instead, each interval that is longer than all
 * previous ones is chosen.
 *
 *     durations of a stack     5  3  9  9  2  12  4
 *     chosen                   5     9        12
 *
 * A worker therefore chooses about ln(n) of n intervals of a stack. The choice of a worker depends
 * on the number of workers, but always includes the longest interval.
 */
#ifndef OFFCPU_SINGLE_INTERVALS_H
#define OFFCPU_SINGLE_INTERVALS_H

#include "base/idtable.h"
#include "profile/ingest.h"
#include "profile/profile.h"

/* The longest interval of one stack so far. */
struct longest_of_stack {
	uint64_t stack_hash;
	uint64_t begin_ns, duration_ns;
};

/* The intervals that one worker chose. */
struct single_intervals {
	uint64_t list_max; /* how many intervals to choose as the longest of all */
	struct idtable ids;
	VEC(struct longest_of_stack) longest;
	VEC(uint64_t) listed_ns;          /* durations of the longest of all, as a min-heap */
	VEC(struct single_interval) rows; /* comm may be PROCESS_HISTORY_NONE */
};

void single_intervals_init(struct single_intervals *singles, uint64_t list_max);
void single_intervals_deinit(struct single_intervals *singles);

/* The `choose` of an ingest_chooser whose context is the struct single_intervals. */
bool single_intervals_choose(void *context, const struct ingested_sample *sample,
			     uint64_t stack_hash, uint32_t interval);

/* Adds the chosen intervals to the profile, with the names of their threads. */
void single_intervals_add(const struct single_intervals *singles, struct profile *profile);

/* Sorts the profile's individual intervals by index. */
void single_intervals_finish(struct profile *profile);

/* The individual interval that a leaf frame stands for, or NULL. */
const struct single_interval *single_intervals_find(const struct profile *profile, frame_id frame);

#endif
