/* SPDX-License-Identifier: MIT */
/*
 * Unnamed temporary files, and how much they may hold. The files of one capture share a space, so that many small ones
 * are limited like one large one. Without a limit of the user they may take as much as they leave free:
 *
 *     file system of TMPDIR   | other files | temporary files | free |
 *                                           └─── at most half ───┘
 */
#ifndef BASE_TEMPORARY_SPACE_H
#define BASE_TEMPORARY_SPACE_H

#include "base/error.h"

/* All temporary files of an input, if the user sets no limit: larger than any capture. */
#define LIMIT_SPOOL_BYTES ((uint64_t)1 << 40)

struct temporary_space {
	uint64_t limit_bytes; /* --spool-limit; 0: half of what is free */
	uint64_t used_bytes;
};

/* Creates a file that disappears when it is closed. -1, with errno: it cannot. */
int temporary_space_create_file(void);

/* Writes to such a file, if there is space left. ERROR_LIMIT: there is not. */
bool temporary_space_write(struct temporary_space *space, int fd, const void *bytes,
			   size_t size_bytes, struct error *err) WARN_UNUSED;

#endif
