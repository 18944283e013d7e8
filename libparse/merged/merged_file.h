/* SPDX-License-Identifier: MIT */
/*
 * The chunks of a merged profile, from its header to its summary. Stacks stay in the file: only the
 * headers of their chunks are read.
 */
#ifndef LIBPARSE_MERGED_MERGED_FILE_H
#define LIBPARSE_MERGED_MERGED_FILE_H

#include "libparse/formats.h"
#include "libparse/merged/merged_summary.h"

/* Neighbouring chunks are read together, so that the number of slices does not depend on the size of
 * chunks. */
#define MERGED_SLICE_BYTES ((uint64_t)1 << 20)

struct merged_file {
	struct merged_summary summary;
	bool has_summary;         /* the file is complete */
	VEC(struct slice) slices; /* slices of the chunks with stacks */
	uint64_t summary_bytes;   /* decompressed */
	uint64_t chunk_bytes_max; /* decompressed size of the largest chunk of stacks */
	uint64_t stack_count;     /* according to the chunk headers */
	uint64_t unknown_count;   /* chunks that a later kiln added */
};

/*
 * Reads the header, the headers of all chunks, and the summary. Returns false, with err, if the
 * file is incomplete or corrupt, was written by another version, or exceeds a limit. *file then
 * contains everything before the error. Must be closed even after a failure.
 */
bool merged_file_open(struct merged_file *file, const struct input *input,
		      struct error *err) WARN_UNUSED;
void merged_file_close(struct merged_file *file);

#endif
