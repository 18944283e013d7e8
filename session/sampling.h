/* SPDX-License-Identifier: MIT */
/*
 * Reads and resolves the samples of a capture, with all workers in parallel:
 *
 *     slices of a round ─▶ callchains of a worker ─┐
 *                       ─▶ callchains of a worker ─┴─▶ merged callchains ─▶ stacks of a resolver
 *
 * If the input is a stream, a round is the part in the buffer. Meanwhile, an additional thread
 * fills the next buffer.
 */
#ifndef SESSION_SAMPLING_H
#define SESSION_SAMPLING_H

#include <stdatomic.h>

#include "offcpu/single_intervals.h"
#include "profile/callchains.h"
#include "session/session.h"

/* Stacks of resolvers are merged one after the other, so more resolvers do not help. */
#define RESOLVERS_MAX 8

struct sampler {
	const struct session *session;
	size_t slice_begin, slice_end;
	size_t callers_begin, callers_end;
	struct unwinding_worker *unwinding;
	struct ingest ingest;
	struct timeline timeline;        /* with options.timeline: observes ingest */
	struct single_intervals singles; /* if the pairing options have has_singles */
	struct resolved resolved;
	bool failed;
	struct error err;
};

struct sampling {
	struct sampler *at; /* one per worker */
	size_t count;
	bool keeps_rows;
	bool keeps_tries;         /* used instead of callchains; one trie per worker */
	size_t resolver_count;    /* the first samplers are also resolvers */
	struct callchains chains; /* callchains of all workers, merged */
	struct strings values;    /* values that samples are grouped by, merged */
	struct callchain_callers_place *callers;
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

/*
 * Resolves callchains to stacks of locations, per resolver; merges their locations into
 * session->locations.
 */
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
