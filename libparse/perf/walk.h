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
#include "libparse/perf/abi.h"

#define RECORD_HEADER_BYTES 8
#define RECORD_ALIGNMENT    8

struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* header included */
	uint64_t offset;
	const unsigned char *bytes;
};

struct read_cache;

struct walk {
	const struct input *input;
	struct read_cache *cache; /* NULL if the input is read directly */
	uint64_t base;            /* added to the offsets of records */
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

/* walk_next for any record. */
enum walk_result walk_next_slowly(struct walk *walk, struct record *ret, struct error *err);

/*
 * If samples are skipped, only the headers of samples of at least this size are read. Skipping
 * smaller samples is slower than reading them.
 */
#define WALK_SKIPPED_BYTES_MIN (8 << 10)

/*
 * Returns the next record. After WALK_TRUNCATED or WALK_CORRUPT, walk->offset is the offset of the
 * faulty record.
 */
static inline enum walk_result walk_next(struct walk *walk, struct record *ret, struct error *err)
{
	uint64_t at = walk->offset - walk->window_offset;
	uint64_t left = at < walk->window_bytes ? walk->window_bytes - at : 0;
	const unsigned char *bytes;
	uint16_t size;

	/* Most records are samples in the window. */
	if (UNLIKELY(left < RECORD_HEADER_BYTES || walk->offset >= walk->stop))
		return walk_next_slowly(walk, ret, err);
	bytes = walk->window + at;
	size = span_load_u16(bytes + 6, walk->swapped);
	if (UNLIKELY(span_load_u32(bytes, walk->swapped) != RECORD_SAMPLE || size > left ||
		     size < RECORD_HEADER_BYTES || size >= WALK_SKIPPED_BYTES_MIN))
		return walk_next_slowly(walk, ret, err);
	*ret = (struct record){
		.type = RECORD_SAMPLE,
		.misc = span_load_u16(bytes + 4, walk->swapped),
		.size = size,
		.offset = walk->base + walk->offset,
		.bytes = bytes,
	};
	walk->peeks = false;
	walk->offset += size;
	return WALK_RECORD;
}

/* The bytes after the record's header. */
static inline struct span record_payload(const struct record *record, bool swapped)
{
	return span_of(record->bytes + RECORD_HEADER_BYTES,
		       (size_t)record->size - RECORD_HEADER_BYTES,
		       record->offset + RECORD_HEADER_BYTES, swapped);
}

#endif
