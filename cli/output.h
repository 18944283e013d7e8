/* SPDX-License-Identifier: MIT */
/*
 * The file that a command writes. A regular file is written without a name and gets its name when it
 * is complete: an existing file stays as it was until then, and an error leaves no partial file.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/sink.h"

struct output {
	struct sink sink;
	const char *path; /* NULL: standard output */
	char *target;     /* path with symbolic links resolved */
	char *temporary;  /* NULL: the file has no name yet */
	int fd;
	bool is_replacing;
};

/* Opens path, or standard output for NULL and "-". After an error output_discard does nothing. */
bool output_open(struct output *output, const char *path, struct error *err) WARN_UNUSED;

/* Flushes the sink and gives the file its name. Closes it in any case. */
bool output_commit(struct output *output, struct error *err) WARN_UNUSED;

/* Closes and drops the file. */
void output_discard(struct output *output);

/* An error if path is NULL and standard output is a terminal. what: "SVG" */
bool output_check_terminal(const char *path, const char *what, struct error *err) WARN_UNUSED;

#endif
