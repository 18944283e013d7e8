/* SPDX-License-Identifier: MIT */
/*
 * Walks the second half of a large file while the state pass, in another thread, walks the first. Where
 * a record begins is known only by walking up to it, so the lookahead begins at a guess: bytes that look
 * like a run of records. What it saw counts when the pass comes to exactly there, and not at all otherwise.
 *
 *     begin                           lookahead->begin                     end
 *     |rec|rec|rec|... pass ─▶ ...    |rec|rec|... lookahead ─▶ ...        |
 */
#ifndef LIBPARSE_PERF_LOOKAHEAD_H
#define LIBPARSE_PERF_LOOKAHEAD_H

#include <stdatomic.h>

#include "libparse/formats.h"
#include "libparse/perf/walk.h"

/* Work is handed to threads in pieces of this size; a piece must be worth the handing. */
#define SLICE_BYTES ((uint64_t)1 << 20)

/* A record that is no sample. */
struct lookahead_row {
	uint64_t offset;
	size_t at; /* in the kept bytes */
};

struct lookahead {
	const struct input *input;
	uint64_t begin;      /* the guess */
	uint64_t stream_end; /* no record reaches beyond */
	bool swapped;
	atomic_bool is_cancelled;
	/* After lookahead_run: */
	uint64_t end; /* where it stopped; of the record there nothing was taken */
	uint64_t sample_count;
	VEC(struct lookahead_row) records;
	VEC(unsigned char) bytes;
	/* Whole slices, and where the next one begins, with its samples up to the end. */
	VEC(struct slice) slices;
	struct slice open_slice;
};

/* False: the records in [begin, end) are not worth it, or none was recognised in their middle. */
bool lookahead_init(struct lookahead *lookahead, const struct input *input, uint64_t begin,
		    uint64_t end, bool swapped);
void lookahead_deinit(struct lookahead *lookahead);

/* Walks to the end of the records, or until it is called off, which any thread may do at any time. */
void lookahead_run(struct lookahead *lookahead);
void lookahead_cancel(struct lookahead *lookahead);

/* A record that was kept, valid until lookahead_deinit. */
struct record lookahead_record(const struct lookahead *lookahead, size_t index);

#endif
