/* SPDX-License-Identifier: MIT */
/*
 * Tracks contain the samples of each thread and event, one by one in time order. All tracks share a
 * tree of stacks, in which a parent precedes its children:
 *
 *     row      0      1      2       3        row 0 is the empty stack
 *     frame    -      main   parse   read
 *     parent   -      0      1       1
 *
 *     track    tid 7, cpu-clock     samples of stacks   2 2 3 2 3 3
 */
#ifndef TIMELINE_TRACKS_H
#define TIMELINE_TRACKS_H

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"

struct track_stack {
	uint32_t parent;
	uint32_t frame; /* in the profile */
};

struct track_sample {
	uint64_t time_ns; /* 0 if the sample has no time */
	uint64_t weight;
	uint32_t stack;
	uint32_t duration_ns; /* CPU time of the sample, up to its time; 0 if unknown */
	uint32_t number;      /* in the order in which they were added; set by track_add */
	str_id comm;          /* the thread's name at the time of the sample */
};

struct track {
	uint32_t pid, tid;
	uint32_t cpu;    /* of idle tasks, which all have tid 0; otherwise EVENT_NO_CPU */
	uint32_t event;  /* in the profile */
	str_id comm_key; /* the comm, if the thread is unknown; otherwise empty */
	uint32_t number; /* in the order of tracks_find */
	enum weight_unit unit;
	str_id comm, process; /* the last names of the thread and of its process */
	bool has_durations;   /* some samples have a known duration */
	VEC(struct track_sample) samples;
};

struct tracks {
	VEC(struct track) rows; /* after tracks_finish: by pid, tid, CPU and event */
	VEC(struct track_stack) stacks;
	struct idtable row_ids, stack_ids;
	uint64_t timeless_count; /* samples that were left out because they have no time */
};

void tracks_init(struct tracks *tracks);
void tracks_deinit(struct tracks *tracks);

/*
 * Returns the track with the pid, tid, cpu, event and comm_key of key; adds a copy of key if it is
 * new. Valid until the next call.
 */
struct track *tracks_find(struct tracks *tracks, const struct track *key);

/* Returns the row of a stack of frames, root first; adds it if it is new. */
uint32_t tracks_stack(struct tracks *tracks, const uint32_t *frames, uint32_t count);

void track_add(struct track *track, const struct track_sample *sample);

/*
 * Sorts the tracks, and the samples of each track by time. Samples with equal times keep their
 * order.
 */
void tracks_finish(struct tracks *tracks);

/*
 * Returns the time at which a sample begins: its time minus its duration, but not before the end of
 * the previous sample.
 */
uint64_t track_begin_ns(const struct track *track, size_t sample);

/*
 * Writes the frames of a stack to ret, root first, and returns their number, which is at most
 * count_max.
 */
uint32_t tracks_frames(const struct tracks *tracks, uint32_t stack, uint32_t *ret,
		       uint32_t count_max);

/* Returns the number of frames of a stack. */
uint32_t tracks_depth(const struct tracks *tracks, uint32_t stack);

#endif
