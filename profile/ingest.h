/* SPDX-License-Identifier: MIT */
/*
 * The second pass over a capture: counts samples by distinct callchain, or by stack if callchains
 * are resolved immediately. Each worker has its own ingest and its own slices of the input, and
 * nothing is shared:
 *
 *     slices 0..k   ─▶ ingest 0: callchains or stacks, counts per event
 *     slices k+1..n ─▶ ingest 1: callchains or stacks, counts per event      then merged
 */
#ifndef PROFILE_INGEST_H
#define PROFILE_INGEST_H

#include "libparse/callchain.h"
#include "profile/branch_callchain.h"
#include "profile/callchains.h"
#include "profile/interval.h"
#include "profile/sample_values.h"
#include "profile/selection/selection_tally.h"
#include "process/process_state.h"
#include "process/time_order.h"
#include "profile/text_samples.h"
#include "profile/time_bins.h"
#include "profile/selection/time_windows.h"
#include "profile/tree/resolve_stacks.h"
#include "profile/tree/trie.h"
#include "profile/view.h"

/* Counts of one event. */
struct ingest_event {
	uint64_t sample_count;
	uint64_t period_sum;
	uint64_t first_time_ns; /* of all samples, also those not selected; UINT64_MAX if none */
	struct branch_counts branches;
};

/* How far a stack dump was unwound. */
enum stack_end {
	STACK_COMPLETE,
	STACK_TRUNCATED, /* this and the next: see LOSS_UNWIND_* */
	STACK_LOST,
	STACK_NO_FILE,
	STACK_NO_REGISTERS,
};

/* Unwinds stack dumps. */
struct ingest_unwinder {
	void *context;
	/* Appends at most address_max addresses (0: all) to chain, innermost first. */
	enum stack_end (*unwind)(void *context, const struct event_sample *sample,
				 const struct callchain_key *key, uint32_t address_max,
				 struct callchain_buffer *chain);
};

/* A counted sample, or one of the intervals that it begins. */
struct ingested_sample {
	const struct event *event;
	const struct callchain_key *key;
	uint64_t sample_count, weight;
	const struct interval *interval; /* NULL means the sample itself */
};

/* If set, the observer gets each sample, and callchains are not counted. */
struct ingest_observer {
	void *context;
	void (*on_sample)(void *context, const struct ingested_sample *sample);
};

/* If set, chooses the intervals that are shown individually. */
struct ingest_chooser {
	void *context;
	/*
	 * stack_hash: equal for all intervals with the same stack. interval: the interval's index.
	 */
	bool (*choose)(void *context, const struct ingested_sample *sample, uint64_t stack_hash,
		       uint32_t interval);
};

/* How samples are counted, in addition to the view. */
struct ingest_options {
	const struct time_bins *time_bins; /* if NULL, samples are not binned by time */
	/*
	 * Counts only samples that begin an interval, once for each interval, weighted by its
	 * duration.
	 */
	const struct intervals *intervals; /* if NULL, all samples count */
	/* windows that intervals and waits are clipped to; NULL if none */
	const struct time_windows *windows;
	/* Each sample ends a wait; its period is the duration. Observers get the wait as an
	 * interval. */
	bool has_measured_waits;
	/* off-CPU intervals belong to switch_event, not to the events of their samples */
	bool has_switch_event;
	uint32_t switch_event;
	bool has_durations; /* each stack gets a leaf: the rounded duration of its interval */
	/*
	 * Keep stacks as a trie instead of callchains. A trie requires that the format reports
	 * which frames neighbouring samples share, and that samples are not selected by leaf.
	 */
	bool keeps_trie;
	bool keeps_rows; /* record the position of each sample, to visit samples in time order */
	/*
	 * Functions to which fields of samples point are counted as callchains, so that they are
	 * symbolised.
	 */
	bool follows_code;
	/*
	 * Callchains begin with the sample's ip. For precise events, this is the instruction that
	 * caused the event; without this option, the callchain begins where the thread was
	 * interrupted.
	 */
	bool starts_at_ip;
	/*
	 * Keep callchains as perf prints them: do not trim junk, and do not add the ip to an empty
	 * callchain.
	 */
	bool is_literal;
	struct ingest_unwinder unwinder; /* unwind NULL: stack dumps are not unwound */
	struct ingest_observer observer; /* on_sample NULL: callchains are counted */
	struct ingest_chooser chooser;   /* with has_durations; choose is NULL if none */
};

/* A sample, and its position in the input. */
struct sample_row {
	uint64_t time_ns;
	uint64_t offset;
};

struct ingest_moment;

struct ingest {
	const struct process_state *state;
	const struct profile *profile; /* events and their fields */
	const struct view *view;       /* borrowed */
	struct ingest_options options;
	struct callchains chains;
	struct stack_resolver *stacks; /* if set, used instead of chains; not owned */
	struct sample_values values;
	struct text_samples text;      /* samples of text captures */
	struct callchain_key last_key; /* of the last sample in the trie */
	struct trie trie;              /* with keeps_trie, in place of chains */
	const struct field **weights;  /* by event, if samples are weighted by a field; or NULL */
	/* Scratch buffers of the last sample, for callchains of several parts. */
	struct callchain_buffer chain, joined_callchain, unwound_callchain;
	struct callchain_buffer marked_callchain; /* result of interval_callchain */
	struct callchain_buffer ip_callchain;     /* with starts_at_ip */
	/* position of the last sample; `interval` is the cursor of intervals_find */
	struct sample_position place;
	size_t interval;
	struct ingest_event *events;
	VEC(struct sample_row) rows;
	struct ingest_moment *moments;
	uint64_t losses[LOSS_KIND_COUNT];
	uint64_t unwound_count;
	uint64_t timeless_count; /* waits without a time, which cannot be clipped to windows */
	uint64_t first_skipped_offset; /* of the first skipped line; UINT64_MAX if none */
	uint64_t first_time_ns, last_time_ns;
	struct time_order order;           /* of samples from binary captures */
	bool has_pids, has_tids, has_cpus; /* stacks are told apart by these */
	bool has_selection;                /* the view selects samples */
	struct selection_tally tally;      /* with a selection */
};

void ingest_init(struct ingest *ingest, const struct process_state *state,
		 const struct profile *profile, const struct view *view,
		 const struct ingest_options *options);
void ingest_deinit(struct ingest *ingest);

/*
 * The on_event of an event_sink whose context is the ingest. Reads samples and losses, and ignores
 * other events.
 */
void ingest_on_event(void *context, const struct event *event);

/*
 * Returns the key of a sample: its event, the state of its thread at the sample's time, and the
 * values that stacks are grouped by.
 */
struct callchain_key ingest_key_of(struct ingest *ingest, const struct event *event);

/* Whether the selection includes a sample with this key; counts excluded samples. */
bool ingest_selects(struct ingest *ingest, const struct event *event,
		    const struct callchain_key *key);

/*
 * Returns the key for a callchain that consists of one kernel function. key: the key of the sample
 * that contains the function's address.
 */
struct callchain_key ingest_code_key(const struct callchain_key *key);

/*
 * Returns the callchain of a sample as the view requires it, or the ip if the sample has no
 * callchain. key is the sample's key. The result is valid until the next call, as long as the
 * sample exists.
 */
const uint64_t *ingest_callchain_of(struct ingest *ingest, const struct event_sample *sample,
				    const struct callchain_key *key, uint32_t *count_ret);

/* Adds the counts, losses and times of this ingest to the profile. */
void ingest_add_counts(const struct ingest *ingest, struct profile *profile);

#endif
