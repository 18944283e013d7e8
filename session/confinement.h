/* SPDX-License-Identifier: MIT */
/*
 * How kiln locks itself before it reads an input, while it has one thread:
 *
 *     options known ─▶ fork the server of readers ─▶ give up programs, network, privileges ─▶ read inputs
 *
 * The server is forked first, because it must be able to end its workers. All sessions share it.
 */
#ifndef SESSION_CONFINEMENT_H
#define SESSION_CONFINEMENT_H

#include "base/sink.h"
#include "sandbox/service.h"

struct confinement {
	struct service readers; /* of debug information; for session_options */
};

/* Locks this process. Old kernels and builds without libseccomp do less; builds with sanitizers do nothing. */
void confinement_begin(struct confinement *confinement, bool needs_network);

/* Ends the server. The lock stays. */
void confinement_end(struct confinement *confinement);

/* What this build and this kernel lock, for kiln info --build. is_asked_for: without --no-sandbox. */
void confinement_describe(bool is_asked_for, struct sink *sink);

#endif
