/* SPDX-License-Identifier: MIT */
/*
 * The file a command writes. A regular file is written under no name at all and appears, whole,
 * when it is committed: whatever happens before, an old file stays as it was and no half of a new
 * one is left behind.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/sink.h"

struct output {
	struct sink sink;
	const char *path; /* NULL: standard output */
	char *target;     /* path with links followed */
	char *temporary;  /* NULL: the file has no name yet */
	int fd;
	bool is_replacing;
};

/* Opens path, or standard output for NULL and "-". */
bool output_open(struct output *output, const char *path, struct error *err) WARN_UNUSED;

/* Writes out what is buffered and gives the file its name. Closes in any case. */
bool output_commit(struct output *output, struct error *err) WARN_UNUSED;

/* Drops what was written. */
void output_discard(struct output *output);

#endif
