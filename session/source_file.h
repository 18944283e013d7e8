/* SPDX-License-Identifier: MIT */
/*
 * Opens source files named in debug information. Debug information is untrusted, and may name any
 * file. Therefore, only regular files are opened, and only if their names, after all links are
 * resolved, have a source code suffix.
 *
 *     --source-dir     where /build/app/parse.c is searched
 *     /build=src       src/app/parse.c
 *     src              src/build/app/parse.c
 */
#ifndef SESSION_SOURCE_FILE_H
#define SESSION_SOURCE_FILE_H

#include "base/error.h"
#include "base/strings.h"
#include "base/sink.h"

struct source_directories {
	const char *const *directories; /* [PREFIX=]DIR, searched first, in this order */
	size_t count;
	bool uses_host; /* also open absolute paths on this machine */
};

enum source_file_status {
	SOURCE_FILE_OPEN,
	SOURCE_FILE_NOT_FOUND,
	SOURCE_FILE_NOT_SOURCE, /* the path or a link's target does not have a source code suffix */
};

/* Whether path has a source code suffix. */
bool source_file_has_name(struct text path);

/* Opens the file for a path recorded by the compiler. */
enum source_file_status source_file_open(const struct source_directories *directories,
					 struct text path, int *ret_fd);

/* How many lines before and after a touched line are included. */
#define SOURCE_LINES_MARGIN 20u

enum source_match {
	SOURCE_MATCHES,       /* no touched line is missing, so the file may be the right version */
	SOURCE_OTHER_VERSION, /* a touched line is beyond the end of the file */
	SOURCE_NOT_TEXT,      /* the file contains a NUL */
};

/* Appends the lines of a file around the touched lines. touched: ascending, unique, not 0. */
enum source_match source_lines_write(struct text file, const uint32_t *touched, size_t count,
				     struct sink *sink, uint32_t *ret_line_count);

struct session;
struct annotation;

/*
 * Fills annotation->lines with the source lines of all its instructions: from --source-dir,
 * from the bundle with the capture, or from this machine if the capture was made here. Implemented
 * in source_lines.c.
 */
void source_lines_read(const struct session *session, struct annotation *annotation);

#endif
