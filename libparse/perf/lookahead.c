/* SPDX-License-Identifier: MIT */
#include "libparse/perf/lookahead.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/record.h"

/*
 * The number of bytes that are read to find a record boundary. At least MIN records must follow a
 * candidate; up to MAX records are checked.
 */
#define GUESS_BYTES       ((size_t)512 << 10)
#define GUESS_RECORDS_MIN 8
#define GUESS_RECORDS_MAX 64

static bool looks_like_record(const unsigned char *bytes, bool swapped, uint16_t *size_bytes)
{
	*size_bytes = span_load_u16(bytes + 6, swapped);
	return *size_bytes >= RECORD_HEADER_BYTES && *size_bytes % RECORD_ALIGNMENT == 0 &&
	       record_type_find(span_load_u32(bytes, swapped));
}

/* Whether several plausible records follow. */
static bool looks_like_records(const unsigned char *window, size_t size_bytes, size_t at,
			       bool swapped)
{
	uint16_t record_bytes;
	unsigned count = 0;

	for (; count < GUESS_RECORDS_MAX && size_bytes - at >= RECORD_HEADER_BYTES;
	     at += record_bytes, count++) {
		if (!looks_like_record(window + at, swapped, &record_bytes))
			return false;
		if (record_bytes > size_bytes - at)
			break;
	}
	return count >= GUESS_RECORDS_MIN;
}

static bool guess(const struct input *input, uint64_t from, bool swapped, uint64_t *ret)
{
	unsigned char *window = memory_alloc(GUESS_BYTES, 1);
	struct error ignored;
	size_t size_bytes;
	bool found = false;

	if (!input_read(input, from, window, GUESS_BYTES, &size_bytes, &ignored))
		size_bytes = 0;
	/* For candidates in the second half of the window, too few bytes follow in the window. */
	for (size_t at = 0; at < size_bytes / 2 && !found; at += RECORD_ALIGNMENT) {
		found = looks_like_records(window, size_bytes, at, swapped);
		*ret = from + at;
	}
	memory_free(window);
	return found;
}

/* The memory that the kept records take. */
static size_t kept_bytes(const struct lookahead *lookahead)
{
	return lookahead->bytes.count + lookahead->records.count * sizeof(*lookahead->records.at);
}

static void keep(struct lookahead *lookahead, const struct record *record)
{
	size_t at = lookahead->bytes.count;

	vec_push(&lookahead->records, (struct lookahead_row){ record->offset, at });
	vec_reserve(&lookahead->bytes, at + record->size);
	memcpy(lookahead->bytes.at + at, record->bytes, record->size);
	lookahead->bytes.count += record->size;
}

/* Keeps a record. Returns false if it must be left to the state pass. */
static bool accept_record(struct lookahead *lookahead, const struct record *record)
{
	struct slice *open = &lookahead->open_slice;

	/* A large type may be the magic of an appended capture. */
	if (record->type == RECORD_COMPRESSED || record->type == RECORD_COMPRESSED2 ||
	    record->type > UINT16_MAX || kept_bytes(lookahead) > lookahead->kept_bytes_max)
		return false;
	if (record->offset - open->begin >= SLICE_BYTES) {
		open->end = record->offset;
		vec_push(&lookahead->slices, *open);
		*open = (struct slice){ .begin = record->offset };
	}
	if (record->type != RECORD_SAMPLE) {
		keep(lookahead, record);
		return true;
	}
	open->sample_count++;
	if (lookahead->samples)
		sample_reader_read(lookahead->samples, record);
	return true;
}

void lookahead_run(struct lookahead *lookahead)
{
	struct record record;
	struct error ignored;
	struct walk walk;

	walk_init(&walk, lookahead->input, lookahead->begin, lookahead->stop, lookahead->stream_end,
		  lookahead->swapped);
	if (!lookahead->samples)
		walk_skip_samples(&walk);
	lookahead->end = lookahead->begin;
	while (!atomic_load_explicit(&lookahead->is_cancelled, memory_order_relaxed) &&
	       walk_next(&walk, &record, &ignored) == WALK_RECORD &&
	       accept_record(lookahead, &record))
		lookahead->end = walk.offset;
	walk_deinit(&walk);
}

void lookahead_cancel(struct lookahead *lookahead)
{
	atomic_store_explicit(&lookahead->is_cancelled, true, memory_order_relaxed);
}

bool lookahead_init(struct lookahead *lookahead, const struct input *input, uint64_t from,
		    uint64_t stream_end, bool swapped)
{
	*lookahead = (struct lookahead){
		.input = input,
		.stop = stream_end,
		.stream_end = stream_end,
		.swapped = swapped,
		.kept_bytes_max = LOOKAHEAD_KEPT_BYTES,
	};
	atomic_init(&lookahead->is_cancelled, false);
	if (!guess(input, from, swapped, &lookahead->begin))
		return false;
	lookahead->open_slice.begin = lookahead->begin;
	return true;
}

void lookahead_deinit(struct lookahead *lookahead)
{
	vec_free(&lookahead->records);
	vec_free(&lookahead->bytes);
	vec_free(&lookahead->slices);
}

struct record lookahead_record(const struct lookahead *lookahead, size_t index)
{
	const struct lookahead_row *kept = &lookahead->records.at[index];
	const unsigned char *bytes = lookahead->bytes.at + kept->at;

	return (struct record){
		.type = span_load_u32(bytes, lookahead->swapped),
		.misc = span_load_u16(bytes + 4, lookahead->swapped),
		.size = span_load_u16(bytes + 6, lookahead->swapped),
		.offset = kept->offset,
		.bytes = bytes,
	};
}
