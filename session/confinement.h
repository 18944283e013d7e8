/* SPDX-License-Identifier: MIT */
/*
 * Locks kiln before it reads an input, while it has only one thread:
 *
 *     options known ─▶ service_start ─▶ give up rights ─▶ read inputs
 *
 * The service that reads debug information is started first, because its server must be able to end
 * workers. All sessions share the service.
 */
#ifndef SESSION_CONFINEMENT_H
#define SESSION_CONFINEMENT_H

#include "base/sink.h"
#include "base/vec.h"
#include "sandbox/service.h"

/* The rights that the command line needs. */
struct confinement_plan {
	bool needs_network;
	bool needs_roots; /* root directories of this machine's processes, as in containers */
	enum confinement_reach {
		CONFINEMENT_ALL_FILES, /* all files of the user; libdebuginfod stores downloads */
		CONFINEMENT_NAMED_OUTPUT, /* writes to named paths only, and reads all files */
		CONFINEMENT_NAMED_FILES,  /* reads and writes named paths, and reads system files */
	} reach;
	VEC(struct confinement_path {
		char *path;
		bool is_written;
	})
	paths;
};

/* Adds a file, or a directory with everything in it. The path is copied. */
void confinement_plan_add(struct confinement_plan *plan, const char *path, bool is_written);
void confinement_plan_deinit(struct confinement_plan *plan);

struct confinement {
	struct service readers; /* readers of debug information; for session_options */
	/* Bits of enum lockdown_step: steps that failed, although this kernel supports them. */
	unsigned failed_steps;
};

/*
 * Locks this process. With an old kernel, or without libseccomp, fewer steps are possible. Builds
 * with sanitizers do nothing.
 */
void confinement_begin(struct confinement *confinement, const struct confinement_plan *plan);

/* Ends the server. The lock remains in place. */
void confinement_end(struct confinement *confinement);

/*
 * Whether kiln locks itself. Builds with sanitizers, and builds that count executed lines, do not,
 * because their reports need all rights.
 */
bool confinement_locks_kiln(void);

/* The failed steps as a list: "Landlock, seccomp". */
void confinement_write_failed(const struct confinement *confinement, struct sink *sink);

/*
 * Describes which steps of the lock this build and this kernel support, for kiln info --build. If
 * confinement is NULL, --no-sandbox was given.
 */
void confinement_describe(const struct confinement *confinement, struct sink *sink);

#endif
