/* SPDX-License-Identifier: MIT */
/*
 * Iterates over the records of an input. The walk owns a window of the file; a record's bytes are
 * valid until the next call.
 *
 *     file    ...|rec|rec|record|re:cord|AUXTRACE| payload outside the record's size |rec|...
 *     window      [---------------:--]         refilled from the first incomplete record
 *
 * If samples are skipped and the file is in the page cache, only the headers of large samples are
 * read.
 */
#ifndef LIBPARSE_PERF_WALK_H
#define LIBPARSE_PERF_WALK_H

#include "base/input.h"
#include "base/span.h"

#define RECORD_HEADER_BYTES 8

struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* header included */
	uint64_t offset;
	const unsigned char *bytes;
};

struct walk {
	const struct input *input;
	uint64_t base; /* added to the offsets of records */
	bool swapped;
	uint64_t offset; /* offset of the next record */
	uint64_t stop;   /* records from here on are not returned */
	uint64_t end;    /* end of the last record */
	unsigned char *window;
	size_t read_bytes; /* how much to read at a time */
	uint64_t window_offset;
	size_t window_bytes;
	bool skips_samples; /* only headers of samples are returned */
	/* read only the next header if its page is cached, because the last sample was large */
	bool peeks;
};

enum walk_result {
	WALK_RECORD,
	WALK_END,       /* no more records */
	WALK_TRUNCATED, /* the input ends inside a record */
	WALK_CORRUPT,   /* an impossible size; the next record cannot be found */
	WALK_FAILED,    /* reading failed, err is set */
};

/* Walks the records that begin in [begin, stop); none may extend beyond end. */
void walk_init(struct walk *walk, const struct input *input, uint64_t begin, uint64_t stop,
	       uint64_t end, bool swapped);
void walk_deinit(struct walk *walk);

/* From now on, walk_next returns only the headers of samples. */
void walk_skip_samples(struct walk *walk);

/* After WALK_TRUNCATED or WALK_CORRUPT, walk->offset is the offset of the faulty record. */
enum walk_result walk_next(struct walk *walk, struct record *ret, struct error *err);

/* The bytes after the record's header. */
static inline struct span record_payload(const struct record *record, bool swapped)
{
	return span_of(record->bytes + RECORD_HEADER_BYTES,
		       (size_t)record->size - RECORD_HEADER_BYTES,
		       record->offset + RECORD_HEADER_BYTES, swapped);
}

#endif
