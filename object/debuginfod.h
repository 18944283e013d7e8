/* SPDX-License-Identifier: MIT */
/*
 * Fetches files by build-id from debuginfod servers, with libdebuginfod of elfutils, which is
 * loaded at run time. The library caches files in a directory. Without the library, only that directory
 * is used.
 *
 *     CACHE/BUILDID/executable     CACHE/BUILDID/debuginfo
 */
#ifndef OBJECT_DEBUGINFOD_H
#define OBJECT_DEBUGINFOD_H

#include "base/arena.h"
#include "base/build_id.h"
#include "base/error.h"

enum debuginfod_kind {
	DEBUGINFOD_EXECUTABLE, /* a program or library */
	DEBUGINFOD_DEBUGINFO,  /* the separate debug file of a program or library */
};

struct debuginfod;

/* Called repeatedly by the thread that fetches a file. total_bytes is 0 if unknown. */
typedef void debuginfod_on_progress(void *context, const char *name, uint64_t done_bytes,
				    uint64_t total_bytes);

/*
 * urls: servers, separated by blanks; empty: those of $DEBUGINFOD_URLS. $DEBUGINFOD_MAXSIZE limits
 * the bytes of a file, and $DEBUGINFOD_MAXTIME and $DEBUGINFOD_TIMEOUT limit the seconds. Sets each
 * of these three variables to its default if it is not a valid number. Must be called while no
 * other thread is running.
 */
struct debuginfod *debuginfod_create(const char *urls, debuginfod_on_progress *on_progress,
				     void *context);
void debuginfod_destroy(struct debuginfod *debuginfod);

/* Returns a message if no server can be used, or NULL if servers can be used. */
const char *debuginfod_problem(const struct debuginfod *debuginfod);

struct debuginfod_query {
	struct build_id build_id;
	enum debuginfod_kind kind;
	const char *name; /* for messages */
};

/*
 * Finds or fetches a file. Returns the path of the file, in arena, or NULL with the error. The
 * caller must check the build-id. *source_ret becomes a message that states where the file came
 * from, or an empty text. Thread-safe.
 */
const char *debuginfod_find(struct debuginfod *debuginfod, const struct debuginfod_query *query,
			    struct arena *arena, const char **source_ret,
			    struct error *err) WARN_UNUSED;

#endif
