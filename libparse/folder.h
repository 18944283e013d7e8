/* SPDX-License-Identifier: MIT */
/*
 * A capture that is a directory (perf record --threads), on disk or in an archive: a perf.data
 * called `data`, and a file of records for each ring buffer.
 *
 *     DIR/data    | header, attrs | synthesized records | features |
 *     DIR/data.0  | records ...   |
 *     DIR/data.1  | records ...   |
 */
#ifndef LIBPARSE_FOLDER_H
#define LIBPARSE_FOLDER_H

#include "base/input.h"

/* Data files of a perf.data folder: one for each CPU. Linux supports 8192 CPUs. */
#define LIMIT_DATA_FILES 8192u

#define FOLDER_HEADER_NAME "data"

struct folder_file {
	uint32_t number; /* the 3 in data.3 */
	struct input input;
};

struct folder {
	char *path;                    /* NULL: unknown, or the folder is not on disk */
	VEC(struct folder_file) files; /* sorted by number */
	/* the first file that could not be opened, and why; or ERROR_NONE */
	struct error refused;
};

void folder_init(struct folder *folder);
void folder_deinit(struct folder *folder);

/* Reads N from the file name "data.N". False: not a record file. */
bool folder_read_number(const char *name, uint32_t *ret);

/* Sets path to the directory of a file, if that can be found. */
void folder_set_path_of(struct folder *folder, const char *file);

/*
 * Opens the record files in path. Skips files that cannot be opened; `refused` has the error of the
 * first one.
 */
void folder_open_files(struct folder *folder);

/* Adds a file with this number, or replaces it. The folder owns the input afterwards. */
void folder_add(struct folder *folder, uint32_t number, struct input *input);

#endif
