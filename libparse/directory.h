/* SPDX-License-Identifier: MIT */
/*
 * A capture can be a directory (perf record --threads), on disk or in an archive. The directory has
 * a perf.data file called `data`, and a file of records for each ring buffer.
 *
 *     DIR/data    | header, attrs | synthesized records | features |
 *     DIR/data.0  | records ...   |
 *     DIR/data.1  | records ...   |
 */
#ifndef LIBPARSE_DIRECTORY_H
#define LIBPARSE_DIRECTORY_H

#include "base/input.h"

/*
 * Maximum number of data files in a perf.data directory, which has one for each CPU. Linux supports
 * 8192 CPUs.
 */
#define LIMIT_DATA_FILES 8192u

#define DIRECTORY_HEADER_NAME "data"

struct directory_file {
	uint32_t number; /* the 3 in data.3 */
	struct input input;
};

struct directory {
	char *path;                       /* NULL if unknown, or the directory is not on disk */
	VEC(struct directory_file) files; /* sorted by number */
	/* the error for the first file that could not be opened, or ERROR_NONE */
	struct error refused;
};

void directory_init(struct directory *directory);
void directory_deinit(struct directory *directory);

/* Reads N from the file name "data.N". Returns false if the file is not a record file. */
bool directory_read_number(const char *name, uint32_t *ret);

/* Sets directory->path to the directory of a file, if realpath() finds the file. */
void directory_set_path_of(struct directory *directory, const char *file);

/*
 * Opens the record files in path. Skips files that cannot be opened; `refused` contains the error
 * for the first such file.
 */
void directory_open_files(struct directory *directory);

/* Adds a file with this number, or replaces it. The directory owns the input afterwards. */
void directory_add(struct directory *directory, uint32_t number, struct input *input);

#endif
