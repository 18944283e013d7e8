/* SPDX-License-Identifier: MIT */
/*
 * A capture that is a folder (perf record --threads): a perf.data called `data`, and beside it a
 * file for each processor's records. The folder may be on disk or in an archive.
 *
 *     DIR/data    | header, attrs | records of the state at the beginning | features |
 *     DIR/data.0  | records ...   |
 *     DIR/data.1  | records ...   |
 */
#ifndef LIBPARSE_FOLDER_H
#define LIBPARSE_FOLDER_H

#include "base/input.h"

#define FOLDER_HEADER_NAME "data"

struct folder_file {
	uint32_t number; /* 3 of data.3 */
	struct input input;
};

struct folder {
	char *path;                    /* NULL: it is not known, or nowhere on disk */
	VEC(struct folder_file) files; /* in order of their numbers */
	struct error
		refused; /* why one of them was not opened; code ERROR_NONE: none was refused */
};

void folder_init(struct folder *folder);
void folder_deinit(struct folder *folder);

/* Which of the files a file of this name is. False: none. */
bool folder_read_number(const char *name, uint32_t *ret);

/* Keeps as path the folder a file is in, when that can be found. */
void folder_set_path_of(struct folder *folder, const char *file);

/* Opens the files of the folder at path, if it has one, in order of their numbers. Those that
 * cannot be opened are left out, and refused says why. */
void folder_open_files(struct folder *folder);

/* Adds a file, which the folder owns then. One of the same number takes the place of the other. */
void folder_add(struct folder *folder, uint32_t number, struct input *input);

#endif
