/* SPDX-License-Identifier: MIT */
/*
 * The samples of a capture, read and resolved by all workers at once:
 *
 *     slices, a round at a time ─▶ a worker's chains ─┐
 *                               ─▶ a worker's chains ─┴─▶ chains ─▶ a resolver's stacks
 *
 * Of an input that passes by a round is what it shows; meanwhile one thread more fills the next.
 *
 * Internal to session/; what a session's stages share while they run.
 */
#ifndef SESSION_SAMPLING_H
#define SESSION_SAMPLING_H

#include <stdatomic.h>

#include "profile/callchains.h"
#include "session/session.h"

/* Their stacks are merged one by one afterwards, which more workers make slower, not faster. */
#define RESOLVERS_MAX 8

struct sampler {
	const struct session *session;
	size_t slice_begin, slice_end;
	size_t callers_begin, callers_end;
	struct unwinding_worker *unwinding;
	struct ingest ingest;
	struct resolved resolved;
	bool failed;
	struct error err;
};

struct sampling {
	struct sampler *at; /* one a worker */
	size_t count;
	bool keeps_rows;
	bool keeps_tries;         /* in the place of chains, each worker its own */
	size_t resolver_count;    /* of the samplers, the first */
	struct callchains chains; /* of all, once they have been merged */
	struct strings values;    /* that samples are told apart by, of all */
	struct callchain_callers_place *callers;
	atomic_uint_fast64_t done_bytes;
	uint64_t first_skipped_offset; /* UINT64_MAX: no line was skipped */
	struct input *filled;          /* while a round is read; NULL: nothing is to be filled */
	struct error fill_err;
	bool fill_failed;
};

/* keeps_rows: the place and time of every sample is wanted too. */
void sampling_init(struct sampling *sampling, const struct session *session, bool keeps_rows);
void sampling_deinit(struct sampling *sampling);

/* Reads all samples, a round of slices at a time. */
bool sampling_read(struct sampling *sampling, struct session *session,
		   struct error *err) WARN_UNUSED;

/* When no stack is to be followed any more: forgets what was known of files for that. */
void sampling_end_unwinding(struct sampling *sampling, struct session *session);

/* Chains to stacks of locations: those of each resolver, and session->locations for all. */
void sampling_resolve(struct sampling *sampling, struct session *session);

#endif
