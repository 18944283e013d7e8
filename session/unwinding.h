/* SPDX-License-Identifier: MIT */
/*
 * Connects the unwinder to samples, mappings and files, for captures with stack dumps:
 *
 *     sample: registers, stack dump ──┐
 *     history: what was mapped        ├─▶ unwind/unwinder ─▶ callchain
 *     files: call frame information ──┘
 *
 * Workers share the images of files. The first worker that needs an image creates it; after that,
 * the image never changes. Everything else is per worker.
 */
#ifndef SESSION_UNWINDING_H
#define SESSION_UNWINDING_H

#include "profile/ingest.h"
#include "process/process_state.h"
#include "symbolise/symbolise.h"

struct unwinding;
struct unwinding_worker;

/* Whether samples of this profile have stack dumps. */
bool unwinding_is_needed(const struct profile *profile);

/* state, profile and the targets of the options' pointers must outlive the result. */
struct unwinding *unwinding_create(const struct process_state *state, const struct profile *profile,
				   const struct symbolise_options *options);
/* unwinding may be NULL. */
void unwinding_destroy(struct unwinding *unwinding);

/* Creates the state of one thread. Returns NULL if unwinding is NULL. */
struct unwinding_worker *unwinding_worker_create(struct unwinding *unwinding);
void unwinding_worker_destroy(struct unwinding_worker *worker);

/*
 * The callback with which the ingest of the worker's thread unwinds stacks. If worker is NULL, the
 * callback does nothing.
 */
struct ingest_unwinder unwinding_hook(struct unwinding_worker *worker);

#endif
