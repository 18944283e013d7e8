/* SPDX-License-Identifier: MIT */
/*
 * The second pass: samples are counted by distinct chain. One ingest per worker, each over its own
 * run of the input, none of them touching anything shared:
 *
 *     slices 0..k   ─▶ ingest 0: chains, counts per event
 *     slices k+1..n ─▶ ingest 1: chains, counts per event      merged in this order afterwards
 */
#ifndef PROFILE_INGEST_H
#define PROFILE_INGEST_H

#include "profile/branch_callchain.h"
#include "profile/callchains.h"
#include "profile/grouping.h"
#include "profile/interval.h"
#include "profile/sample_values.h"
#include "profile/selection/selection.h"
#include "profile/selection/selection_tally.h"
#include "process/process_state.h"
#include "profile/text_samples.h"
#include "profile/time_bins.h"
#include "profile/selection/time_windows.h"
#include "profile/tree/trie.h"
#include "profile/weighing.h"

/* What was seen of one event. */
struct ingest_event {
	uint64_t sample_count;
	uint64_t period_sum;
	uint64_t first_time_ns; /* UINT64_MAX: none */
	struct branch_counts branches;
};

/* How far a stack could be followed. */
enum stack_end {
	STACK_COMPLETE,
	STACK_TRUNCATED, /* these: see the losses of the same names */
	STACK_LOST,
	STACK_NO_FILE,
	STACK_NO_REGISTERS,
};

/* Who finds a program's calls by its registers and the copy of its stack. */
struct ingest_unwinder {
	void *context;
	/* Puts the addresses behind those in chain: the innermost, then calls, from there outwards. */
	enum stack_end (*unwind)(void *context, const struct event_sample *sample,
				 const struct callchain_key *key, struct callchain_buffer *chain);
};

struct ingest_options {
	const struct selection *selection;
	const struct grouping *grouping;   /* NULL: by comm */
	const struct weighing *weighing;   /* NULL: by period */
	const struct time_bins *time_bins; /* NULL: samples are not binned by time */
	/* Take only samples that an interval begins with, once for each, and weigh them by it. */
	const struct intervals *intervals;  /* NULL: not so */
	const struct time_windows *windows; /* that intervals, or waits, count in; NULL: all time */
	bool has_measured_waits; /* samples are of waits, as long as their period, that ended then */
	bool has_switch_event; /* off-CPU intervals belong to switch_event, not to the events of their samples */
	uint32_t switch_event;
	bool has_durations; /* those stacks end in how long each took */
	/* Keep stacks as a trie in the place of chains: of formats that tell what samples share, where nothing
	 * is asked of the innermost frames. */
	bool keeps_trie;
	bool keeps_rows; /* remember where each sample is, to visit them in order of time */
	/* Take functions that fields of samples point to for chains of their own: to name them. */
	bool follows_code;
	/* Leave chains as perf prints them: no trimming of junk, nothing for an empty chain. */
	bool is_literal;
	bool as_perf;            /* put chains together as perf 6.1 does, where kiln knows better */
	bool has_branch_history; /* chains begin with the branches last taken, where there are any */
	struct ingest_unwinder unwinder; /* unwind NULL: recorded stacks are not followed */
};

/* One sample, by its place in the input. */
struct sample_row {
	uint64_t time_ns;
	uint64_t offset;
};

struct ingest_moment;

struct ingest {
	const struct process_state *state;
	const struct profile *profile; /* its events and their fields */
	struct ingest_options options;
	struct callchains chains;
	struct sample_values values;
	struct text_samples text; /* of captures that are text */
	struct trie trie;         /* of those that are kept as one */
	const struct field *
		*weights; /* by event, where samples are weighed by a field; NULL: not */
	/* Of the last sample: the chain, where it is of several parts, and the way to it. */
	struct callchain_buffer chain, joined_callchain, unwound_callchain;
	struct callchain_buffer marked_callchain; /* where its interval has a mark */
	struct sample_position place; /* of the last sample, and of the intervals near it */
	size_t interval;
	struct ingest_event *events;
	VEC(struct sample_row) rows;
	struct ingest_moment *moments;
	uint64_t losses[LOSS_KIND_COUNT];
	uint64_t unwound_count;
	uint64_t timeless_count;       /* samples that no window is known to have a part of */
	uint64_t first_skipped_offset; /* of lines; UINT64_MAX: none */
	uint64_t first_time_ns, last_time_ns;
	struct selection_tally tally; /* where samples are selected */
};

void ingest_init(struct ingest *ingest, const struct process_state *state,
		 const struct profile *profile, const struct ingest_options *options);
void ingest_deinit(struct ingest *ingest);

/* An event_sink's take: context is the ingest. Only samples and losses are for it. */
void ingest_take(void *context, const struct event *event);

/* What a sample's chain is to be understood by: its event, and its thread's state at its time. */
struct callchain_key ingest_key_of(struct ingest *ingest, const struct event *event);

/* Whether the sample is one of those selected, which is noted; key is its own. */
bool ingest_takes(struct ingest *ingest, const struct event *event,
		  const struct callchain_key *key);

/* The key of a chain that is a function of the kernel alone, at the time of a sample with this key. */
struct callchain_key ingest_code_key(const struct callchain_key *key);

/*
 * The chain a sample has under these options: its own, or its ip where it has none. key is its key. Valid as long as
 * the sample is and until the next call.
 */
const uint64_t *ingest_callchain_of(struct ingest *ingest, const struct event_sample *sample,
				    const struct callchain_key *key, uint32_t *count_ret);

/* Adds what this ingest counted to the profile's events, losses and times. */
void ingest_add_counts(const struct ingest *ingest, struct profile *profile);

#endif
