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

#endif
