/* SPDX-License-Identifier: MIT */
/*
 * Creates unnamed temporary files, and limits their size. The files of one capture share a limit,
 * so that many small files are limited like one large file. By default, temporary files may use
 * half of the free space:
 *
 *     file system of TMPDIR   | other files | temporary files | free |
 *                                           └─── at most half ───┘
 */
#ifndef BASE_TEMPORARY_SPACE_H
#define BASE_TEMPORARY_SPACE_H

#include "base/error.h"

/* Total size of an input's temporary files, if the user sets no limit. No capture is that large. */
#define LIMIT_SPOOL_BYTES ((uint64_t)1 << 40)

struct temporary_space {
	uint64_t limit_bytes; /* --spool-limit; 0 means half of the free space, at most 1 TiB */
	uint64_t used_bytes;
};

/* The directory of temporary files: TMPDIR, or /tmp. */
const char *temporary_space_directory(void);

/* Creates a file that disappears when it is closed. Returns -1 with errno on failure. */
int temporary_space_create_file(void);

/* Writes to a temporary file. Fails with ERROR_RESOURCE if no space is left. */
bool temporary_space_write(struct temporary_space *space, int fd, const void *bytes,
			   size_t size_bytes, struct error *err) WARN_UNUSED;

/*
 * Counts bytes that other code wrote to a temporary file. Fails if the total exceeds the limit, but
 * counts the bytes even then.
 */
bool temporary_space_add(struct temporary_space *space, int fd, uint64_t size_bytes,
			 struct error *err) WARN_UNUSED;

#endif
