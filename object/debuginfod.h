/* SPDX-License-Identifier: MIT */
/*
 * Files by build-id from servers that have those of whole distributions: debuginfod, asked through elfutils'
 * libdebuginfod, which is loaded only for this. It keeps what it fetched in a folder; where the library is
 * not installed that folder is all there is.
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
	DEBUGINFOD_DEBUGINFO,  /* its separate debug file */
};

struct debuginfod;

/* Called now and then by the thread that fetches a file; total_bytes 0: not known. */
typedef void debuginfod_on_progress(void *context, const char *name, uint64_t done_bytes,
				    uint64_t total_bytes);

/*
 * urls: servers, separated by blanks; empty: those of $DEBUGINFOD_URLS. A file may take as many bytes and
 * seconds as $DEBUGINFOD_MAXSIZE and $DEBUGINFOD_MAXTIME say, or as base/limits.h does. Changes these
 * variables, so no other thread may run.
 */
struct debuginfod *debuginfod_create(const char *urls, debuginfod_on_progress *on_progress,
				     void *context);
void debuginfod_destroy(struct debuginfod *debuginfod);

/* Why no server can be asked, for people; NULL: nothing stands against it. */
const char *debuginfod_problem(const struct debuginfod *debuginfod);

struct debuginfod_query {
	struct build_id build_id;
	enum debuginfod_kind kind;
	const char *name; /* for people */
};

/*
 * The path of the file, which may have to be fetched, in arena; the caller makes sure of its build-id.
 * *source_ret says where it came from, for people; perhaps empty. NULL with the error when there is
 * none. Safe for concurrent use.
 */
const char *debuginfod_find(struct debuginfod *debuginfod, const struct debuginfod_query *query,
			    struct arena *arena, const char **source_ret,
			    struct error *err) WARN_UNUSED;

#endif
