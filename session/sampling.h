/* SPDX-License-Identifier: MIT */
/*
 * Reads and resolves the samples of a capture, with all workers in parallel:
 *
 *     slices of a round ─▶ callchains of a worker ─resolve─▶ stacks ─┐
 *                       ─▶ callchains of a worker ─resolve─▶ stacks ─┴─▶ merged stacks
 *
 * A worker resolves its callchains once it has many of them. In a text, they can be resolved only
 * after the last line, so callchains are merged instead:
 *
 *     lines of a round ─▶ callchains of a worker ─┐
 *                      ─▶ callchains of a worker ─┴─▶ merged callchains ─resolve─▶ stacks
 *
 * If the input is a stream, a round is the part in the buffer. Meanwhile, an additional thread
 * fills the next buffer.
 */
#ifndef SESSION_SAMPLING_H
#define SESSION_SAMPLING_H

#include <stdatomic.h>

#include "offcpu/single_intervals.h"
#include "profile/callchains.h"
#include "profile/tree/stack_parts.h"
#include "session/session.h"

/*
 * Maximum number of resolvers for a text, and of workers that keep tries. Their stacks are merged
 * when the tree is built.
 */
#define RESOLVERS_MAX 8

#define STACKS_MAX (STACK_PARTS_COUNT > RESOLVERS_MAX ? STACK_PARTS_COUNT : RESOLVERS_MAX)

struct sampler {
	const struct session *session;
	size_t slice_begin, slice_end;
	size_t callers_begin, callers_end;
	struct unwinding_worker *unwinding;
	struct ingest ingest;
	struct timeline timeline;        /* with options.timeline: observes ingest */
	struct single_intervals singles; /* if the pairing options have has_singles */
	/* The resolver keeps its locations between rounds; resolved has the stacks of one round. */
	struct resolver resolver;
	bool has_resolver;
	struct resolved resolved;
	struct location_list locations; /* in the session, by location of the resolver */
	bool failed;
	struct error err;
};

struct sampling {
	struct sampler *at; /* one per worker */
	size_t count;
	bool keeps_rows;
	size_t callchains_kept; /* a worker with this many callchains resolves them */
	bool keeps_tries;       /* used instead of callchains; one trie per worker */
	/* The results: stacks of all samples, in several lists. */
	struct resolved stacks[STACKS_MAX];
	size_t stacks_count;
	struct stack_part parts[STACK_PARTS_COUNT];
	bool has_merged;          /* parts have stacks */
	struct callchains chains; /* for texts: callchains of all workers, merged */
	struct strings values;    /* values that samples are grouped by, merged */
	struct callchain_callers_place *callers;
	location_id *renumbered; /* the final ids of locations, while stacks are taken */
	atomic_uint_fast64_t done_bytes;
	uint64_t first_skipped_offset; /* UINT64_MAX: no line was skipped */
	struct time_order order;       /* of all samples */
	struct input *filled; /* buffer that is filled during a round; NULL: not a stream */
	struct error fill_err;
	bool fill_failed;
};

/* keeps_rows: also keep offset and time of every sample. */
void sampling_init(struct sampling *sampling, const struct session *session, bool keeps_rows);
void sampling_deinit(struct sampling *sampling);

/* Reads all samples in rounds of slices. */
bool sampling_read(struct sampling *sampling, struct session *session,
		   struct error *err) WARN_UNUSED;

/* Frees the memory of unwinding, after the last stack was unwound. */
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
 * 0 to 1. If there are several events, the share is the largest one among them. Used by kiln bundle
 * before symbolisation. Implemented in module_shares.c.
 */
void module_shares_sum(struct session *session, const struct sampling *sampling);

#endif
