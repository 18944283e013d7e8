/* SPDX-License-Identifier: MIT */
/*
 * Reads and resolves the samples of a capture, with all workers in parallel. As long as most
 * samples repeat a callchain, callchains are merged after each round of slices:
 *
 *     slices of a round ─▶ callchains of a worker ─┐
 *                       ─▶ callchains of a worker ─┴─▶ merged callchains ─resolve─▶ stacks
 *
 * Short-lived processes hardly repeat the callchains of other processes, because their code is at
 * different addresses. In this case, each worker resolves its samples while it reads, or after a
 * round if they are grouped by values. The stacks, which do repeat, are added up when they take
 * much memory:
 *
 *     slices of a round ─resolve─▶ stacks of a worker ─┐
 *                       ─resolve─▶ stacks of a worker ─┴─▶ each stack at one worker
 *
 * The stacks of a text consist of raw texts until its last line is read.
 *
 * If the input is a stream, a round is the part in the buffer. Meanwhile, an additional thread
 * fills the next buffer.
 */
#ifndef SESSION_SAMPLING_H
#define SESSION_SAMPLING_H

#include <stdatomic.h>

#include "offcpu/single_intervals.h"
#include "profile/callchains.h"
#include "profile/tree/resolve_stacks.h"
#include "profile/tree/stack_merger.h"
#include "session/session.h"

/* Maximum number of workers that keep tries, which are merged when the tree is built. */
#define TRIES_MAX 8

/* Counts of the callchains of a worker. */
struct callchain_counts {
	size_t distinct_count;
	uint64_t added_count;
};

struct sampler {
	const struct session *session;
	size_t slice_begin, slice_end;
	struct callchain_counts halfway; /* after half of the slices */
	size_t callers_begin, callers_end;
	struct unwinding_worker *unwinding;
	struct ingest ingest;
	struct timeline timeline;        /* with options.timeline: observes ingest */
	struct single_intervals singles; /* if the pairing options have has_singles */
	struct stack_resolver stacks;
	bool has_resolver;
	struct resolved resolved; /* the result of stacks */
	bool failed;
	struct error err;
};

struct sampling {
	struct sampler *at; /* one per worker */
	size_t count;
	bool keeps_rows;
	bool keeps_tries; /* used instead of callchains; one trie per worker */
	/* merged callchains are resolved when their number or their memory reaches these */
	size_t callchains_kept, callchains_kept_bytes;
	size_t stacks_kept_bytes; /* stacks of workers are merged when they take this much memory */
	size_t merged_count;      /* the number of merged callchains */
	double new_share;         /* the share of samples of the last round with new callchains */
	size_t round_growth;      /* the length of rounds is multiplied by this */
	bool resolves_rounds;     /* callchains hardly repeat, so workers resolve their own */
	bool resolves_early;      /* this round: while they read */
	struct callchains chains; /* of all workers, merged */
	struct strings values;    /* values that samples are grouped by, merged */
	struct text_samples *texts; /* of all workers, merged; in the session */
	struct callchain_callers_place *callers;
	struct stack_merger merger;
	atomic_uint_fast64_t done_bytes;
	uint64_t first_skipped_offset; /* UINT64_MAX if no line was skipped */
	struct time_order order;       /* of all samples */
	struct input *filled; /* buffer that is filled during a round; NULL if not a stream */
	struct error fill_err;
	bool fill_failed;
};

/* keeps_rows: whether to also keep the offset and time of every sample. */
void sampling_init(struct sampling *sampling, const struct session *session, bool keeps_rows);
void sampling_deinit(struct sampling *sampling);

/* Reads all samples in rounds of slices. */
bool sampling_read(struct sampling *sampling, struct session *session,
		   struct error *err) WARN_UNUSED;

/* Frees the memory for unwinding. Must be called after the last stack has been unwound. */
void sampling_end_unwinding(struct sampling *sampling, struct session *session);

/* Resolves all callchains to stacks of locations. The locations are in session->locations. */
void sampling_resolve(struct sampling *sampling, struct session *session);

/*
 * Fills session->annotation from resolved stacks. Implemented in annotating.c, for
 * session_build_annotation.
 */
bool annotate_stacks(struct session *session, const struct sampling *sampling,
		     struct error *err) WARN_UNUSED;

/*
 * Fills session->module_shares, by module id: the share of samples with a frame in the module, from
 * 0 to 1. If there are several events, the share is the largest of their shares. Used by kiln
 * bundle before symbolisation. Implemented in module_shares.c.
 */
void module_shares_sum(struct session *session, const struct sampling *sampling);

#endif
