/* SPDX-License-Identifier: MIT */
/*
 * Where samples, mappings and files meet to have recorded stacks followed:
 *
 *     sample ─ registers, stack ─┐
 *     history: what was mapped ─┼─▶ unwind/unwinder ─▶ chain
 *     files: their frames ───────┘
 *
 * Images of files are shared by all workers, made by the first that needs one, and never changed;
 * each worker asks for each of them once. All else is a worker's own.
 */
#ifndef SESSION_UNWINDING_H
#define SESSION_UNWINDING_H

#include "profile/ingest.h"
#include "process/process_state.h"
#include "symbolise/symbolise.h"

struct unwinding;
struct unwinding_worker;

/* Whether samples of this profile have stacks to be followed. */
bool unwinding_is_needed(const struct profile *profile);

/* state, profile and what options point to outlive it. */
struct unwinding *unwinding_create(const struct process_state *state, const struct profile *profile,
				   const struct symbolise_options *options);
/* May be NULL. */
void unwinding_destroy(struct unwinding *unwinding);

/* What one thread works with; NULL where unwinding is. */
struct unwinding_worker *unwinding_worker_create(struct unwinding *unwinding);
void unwinding_worker_destroy(struct unwinding_worker *worker);

/* How an ingest of that thread calls it. worker may be NULL: then it does not. */
struct ingest_unwinder unwinding_hook(struct unwinding_worker *worker);

#endif
