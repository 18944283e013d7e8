/* SPDX-License-Identifier: MIT */
/*
 * A look-ahead pass: walks a later part of a large file while the state pass, in another thread,
 * walks the first. A record boundary is only certain after walking up to it, so the pass starts at
 * a guess: bytes that look like several records. The results of the pass are used only if the walk
 * over the part before it ends at exactly this offset.
 *
 *     begin                           lookahead->begin                 end
 *     |rec|rec|rec|... state pass ─▶  |rec|rec|... look-ahead pass ─▶  |
 */
#ifndef LIBPARSE_PERF_LOOKAHEAD_H
#define LIBPARSE_PERF_LOOKAHEAD_H

#include <stdatomic.h>

#include "libparse/formats.h"
#include "libparse/perf/sample_reader.h"
#include "libparse/perf/walk.h"

/* The size of a slice, a thread's unit of work, in bytes; large enough to amortise scheduling. */
#define SLICE_BYTES ((uint64_t)1 << 20)

/* The maximum memory for the kept records of all look-ahead passes of a stream. */
#define LOOKAHEAD_KEPT_BYTES ((size_t)16 << 20)

/* A record that is not a sample. */
struct lookahead_row {
	uint64_t offset;
	size_t at; /* byte offset of the record in `bytes` */
};

struct lookahead {
	const struct input *input;
	uint64_t begin;      /* the guessed record boundary */
	uint64_t stop;       /* the next pass begins here; initially the end of the stream */
	uint64_t stream_end; /* where the records of the stream end */
	bool swapped;
	size_t kept_bytes_max; /* the pass stops if records other than samples take more memory */
	struct sample_reader *samples; /* borrowed: reads the samples; NULL if they are skipped */
	atomic_bool is_cancelled;
	/* Valid after lookahead_run. */
	uint64_t end; /* where the pass stopped: the first record that was not read */
	VEC(struct lookahead_row) records;
	VEC(unsigned char) bytes;
	/* The finished slices, and the current one. */
	VEC(struct slice) slices;
	struct slice open_slice;
};

/* Returns false if no record boundary was found at `from`, or soon after it. */
bool lookahead_init(struct lookahead *lookahead, const struct input *input, uint64_t from,
		    uint64_t stream_end, bool swapped);
void lookahead_deinit(struct lookahead *lookahead);

/*
 * Walks to `stop`, or to the end of the records. Stops earlier at a compressed record, if it would
 * have to keep too many bytes, or after lookahead_cancel, which any thread may call.
 */
void lookahead_run(struct lookahead *lookahead);
void lookahead_cancel(struct lookahead *lookahead);

/* A record kept by the pass; valid until lookahead_deinit. */
struct record lookahead_record(const struct lookahead *lookahead, size_t index);

#endif
