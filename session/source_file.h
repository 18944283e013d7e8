/* SPDX-License-Identifier: MIT */
/*
 * Opening the source files that debug information names. Debug information is input: it may name any file
 * of this machine. So only a regular file whose name, after all links, ends like that of source code is opened.
 *
 *     [PREFIX=]DIR   /build/app/parse.c with /build=src is src/app/parse.c; with src, src/build/app/parse.c
 */
#ifndef SESSION_SOURCE_FILE_H
#define SESSION_SOURCE_FILE_H

#include "base/error.h"
#include "base/strings.h"
#include "base/sink.h"

struct source_folders {
	const char *const *folders; /* [PREFIX=]DIR, asked first, in this order */
	size_t count;
	bool uses_host; /* absolute paths are looked up on this machine too */
};

enum source_file_status {
	SOURCE_FILE_OPEN,
	SOURCE_FILE_NOT_FOUND,
	SOURCE_FILE_NOT_SOURCE, /* by its name, or that of the file a link leads to */
};

/* Whether a path ends as source code does. */
bool source_file_has_name(struct text path);

/* A descriptor of the file that path, as compiled, stands for. */
enum source_file_status source_file_open(const struct source_folders *folders, struct text path,
					 int *ret_fd);

/* Lines before and behind a touched one. */
#define SOURCE_LINES_MARGIN 20u

enum source_match {
	SOURCE_MATCHES,       /* as far as the lines tell */
	SOURCE_OTHER_VERSION, /* a touched line is behind its end */
	SOURCE_NOT_TEXT,      /* a NUL is in it */
};

/* Appends the lines of a file around those touched, which ascend, each once and none 0. */
enum source_match source_lines_write(struct text file, const uint32_t *touched, size_t count,
				     struct sink *sink, uint32_t *ret_line_count);

#endif
