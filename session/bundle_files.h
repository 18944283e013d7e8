/* SPDX-License-Identifier: MIT */
/*
 * The symbol files of a bundle: copies of the files that symbolisation accepts, or of the parts
 * that the capture needs. The files are named as in perf's build-id cache, so an extracted bundle
 * is such a cache.
 *
 *     .build-id/ab/cdef.../elf        code           perf-7.map
 *     .build-id/ab/cdef.../debug      symbols        jit-7.dump
 *     .build-id/ab/cdef.../vdso                      files/xxh64-.../NAME   without a build-id
 *     .build-id/ab/cdef.../kallsyms
 */
#ifndef SESSION_BUNDLE_FILES_H
#define SESSION_BUNDLE_FILES_H

#include <pthread.h>

#include "base/arena.h"
#include "base/input.h"
#include "session/bundle.h"
#include "symbolise/symbolise.h"

/* A file for one module. A file for several modules has several rows. */
struct bundle_file {
	const char *name; /* in the bundle; in the arena */
	enum collected_kind kind;
	struct build_id build_id;
	enum match_status match;
	bool is_slim;
	uint32_t module;            /* row of the profile's modules */
	uint64_t begin, size_bytes; /* position in the spool */
	uint64_t checksum;
};

struct bundle_files {
	struct collector collector; /* receives the files from the session */
	const struct session *session;
	const struct bundle_options *options;
	const struct modules *modules; /* the session's */
	pthread_mutex_t mutex;
	struct arena arena;
	struct input spool;
	VEC(struct bundle_file) rows; /* after bundle_files_finish: sorted by name and module */
	struct error err;             /* error for the first file that could not be copied */
};

bool bundle_files_init(struct bundle_files *files, const struct session *session,
		       const struct bundle_options *options, struct error *err) WARN_UNUSED;
void bundle_files_deinit(struct bundle_files *files);

/*
 * Names and sorts the files. Must be called after the last file. Returns false if a file could not
 * be copied.
 */
bool bundle_files_finish(struct bundle_files *files, struct error *err) WARN_UNUSED;

/* The kind as written in the manifest. */
const char *bundle_file_kind(const struct bundle_file *file);

#endif
