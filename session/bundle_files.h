/* SPDX-License-Identifier: MIT */
/*
 * The files that go into a bundle beside the capture: copies of all that named frames, collected while
 * they are named, each under the name it has in the bundle. That is the one perf's own cache would
 * have for it, so that an unpacked bundle is such a cache.
 *
 *     .build-id/ab/cdef.../elf        code           perf-7.map
 *     .build-id/ab/cdef.../debug      symbols        jit-7.dump
 *     .build-id/ab/cdef.../vdso                      files/xxh64-.../NAME   what has no build-id
 *     .build-id/ab/cdef.../kallsyms
 */
#ifndef SESSION_BUNDLE_FILES_H
#define SESSION_BUNDLE_FILES_H

#include <pthread.h>

#include "base/arena.h"
#include "base/input.h"
#include "session/bundle.h"
#include "symbolise/symbolise.h"

/* A file, for one module; one that is for several has as many rows. */
struct bundle_file {
	const char *name; /* in the bundle; in the arena */
	enum collected_kind kind;
	struct build_id build_id;
	enum match_status match;
	bool is_slim;
	uint32_t module;            /* a row of the profile's */
	uint64_t begin, size_bytes; /* in the spool */
	uint64_t checksum;
};

struct bundle_files {
	struct collector collector; /* for the session */
	const struct session *session;
	const struct bundle_options *options;
	const struct modules *modules; /* the session's */
	pthread_mutex_t mutex;
	struct arena arena;
	struct input spool;
	VEC(struct bundle_file) rows; /* finished: by name and module */
	struct error err;             /* of the first file that could not be copied */
};

bool bundle_files_init(struct bundle_files *files, const struct session *session,
		       const struct bundle_options *options, struct error *err) WARN_UNUSED;
void bundle_files_deinit(struct bundle_files *files);

/* After the last file: names and sorts them. False when one could not be copied. */
bool bundle_files_finish(struct bundle_files *files, struct error *err) WARN_UNUSED;

/* As the manifest has it. */
const char *bundle_file_kind(const struct bundle_file *file);

#endif
