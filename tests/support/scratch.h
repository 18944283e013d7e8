/* SPDX-License-Identifier: MIT */
/*
 * A directory of a test's own below $TMPDIR, for code under test that searches files by path. All
 * functions abort the test if a system call fails.
 */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

struct scratch {
	char path[256];
};

void scratch_open(struct scratch *scratch);

/* Removes the directory with all that is in it. */
void scratch_close(struct scratch *scratch);

/* PATH/name, in a buffer of the scratch directory's size that the next call reuses. */
const char *scratch_path(const struct scratch *scratch, const char *name);

/* Writes a file at name below the directory, with the directories on the way to it. */
void scratch_write(const struct scratch *scratch, const char *name, const void *bytes,
		   size_t size_bytes);

/* Make a symbolic link, and a pipe without a writer. */
void scratch_link(const struct scratch *scratch, const char *name, const char *target);
void scratch_pipe(const struct scratch *scratch, const char *name);

#endif
