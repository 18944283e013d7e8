/* SPDX-License-Identifier: MIT */
/*
 * From one record to the next. The walk owns a window of the file and hands out whole records
 * inside it; a record's bytes are valid until the next call.
 *
 *     file    ...|rec|rec|record|re:cord|AUXTRACE| payload outside the record's size |rec|...
 *     window      [---------------:--]         refilled from the first record that is cut
 *
 * Who wants no samples can do without the bytes of large ones: then the window is no more than the
 * next header, as long as it is in memory. What has to come from a disk is read in one piece.
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
	uint64_t base; /* added to the offsets records are known by */
	bool swapped;
	uint64_t offset; /* of the next record */
	uint64_t stop;   /* no record from here on is wanted */
	uint64_t end;    /* of all records */
	unsigned char *window;
	size_t read_bytes; /* at a time */
	uint64_t window_offset;
	size_t window_bytes;
	bool skips_samples; /* of them, no more than the header is in bytes */
	bool peeks; /* the last sample was a large one, and headers behind it are in memory */
};

enum walk_result {
	WALK_RECORD,
	WALK_END,       /* no more records are wanted, or there are none */
	WALK_TRUNCATED, /* the rest is less than the record it begins */
	WALK_CORRUPT,   /* a size no record can have; there is no way to find the next one */
	WALK_FAILED,    /* reading failed, err is set */
};

/* Walks the records that begin in [begin, stop); none reaches beyond end. */
void walk_init(struct walk *walk, const struct input *input, uint64_t begin, uint64_t stop,
	       uint64_t end, bool swapped);
void walk_deinit(struct walk *walk);

/* From now on, of samples only headers are handed out, whatever their size says. */
void walk_skip_samples(struct walk *walk);

/* On WALK_TRUNCATED and WALK_CORRUPT walk->offset is where it happened. */
enum walk_result walk_next(struct walk *walk, struct record *ret, struct error *err);

/* The bytes behind the record's header. */
static inline struct span record_payload(const struct record *record, bool swapped)
{
	return span_of(record->bytes + RECORD_HEADER_BYTES,
		       (size_t)record->size - RECORD_HEADER_BYTES,
		       record->offset + RECORD_HEADER_BYTES, swapped);
}

#endif
