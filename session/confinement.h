/* SPDX-License-Identifier: MIT */
/*
 * How kiln locks itself before it reads an input, while it has one thread:
 *
 *     options known ─▶ fork the server of readers ─▶ give up rights ─▶ read inputs
 *
 * The server is forked first, because it must be able to end its workers. All sessions share it.
 */
#ifndef SESSION_CONFINEMENT_H
#define SESSION_CONFINEMENT_H

#include "base/sink.h"
#include "sandbox/service.h"

struct confinement {
	struct service readers; /* of debug information; for session_options */
	unsigned failed_steps;  /* of enum lockdown_step, although this kernel has them */
};

/* Locks this process. Old kernels and builds without libseccomp do less; builds with sanitizers do
 * nothing. */
void confinement_begin(struct confinement *confinement, bool needs_network);

/* Ends the server. The lock stays. */
void confinement_end(struct confinement *confinement);

/* The failed steps as a list: "Landlock, seccomp". */
void confinement_write_failed(const struct confinement *confinement, struct sink *sink);

/* What this build and this kernel lock, for kiln info --build. confinement: NULL: --no-sandbox. */
void confinement_describe(const struct confinement *confinement, struct sink *sink);

#endif
