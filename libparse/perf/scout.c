/* SPDX-License-Identifier: MIT */
#include "libparse/perf/scout.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/record.h"

/* Less is walked before a second thread has begun. */
#define SCOUTED_BYTES_MIN ((uint64_t)8 << 20)
/* How far behind the middle a record is looked for; how many must follow it, and are looked at. */
#define GUESS_BYTES       ((size_t)512 << 10)
#define GUESS_RECORDS_MIN 8
#define GUESS_RECORDS_MAX 64
/* Of records that are no samples; where there are more, the scout stops. */
#define KEPT_BYTES_MAX ((size_t)16 << 20)

/* Records are aligned to so many bytes. */
#define ALIGNMENT 8

static bool looks_like_record(const unsigned char *bytes, bool swapped, uint16_t *size_bytes)
{
	*size_bytes = span_load_u16(bytes + 6, swapped);
	return *size_bytes >= RECORD_HEADER_BYTES && *size_bytes % ALIGNMENT == 0 &&
	       record_type_find(span_load_u32(bytes, swapped));
}

/* Whether what follows in the window looks like records, and is several. */
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

static bool guess(const struct input *input, uint64_t begin, uint64_t end, bool swapped,
		  uint64_t *ret)
{
	uint64_t middle = begin + (end - begin) / 2 / ALIGNMENT * ALIGNMENT;
	unsigned char *window = memory_alloc(GUESS_BYTES, 1);
	struct error ignored;
	size_t size_bytes;
	bool found = false;

	if (!input_read(input, middle, window, GUESS_BYTES, &size_bytes, &ignored))
		size_bytes = 0;
	/* From the window's second half on too few would follow. */
	for (size_t at = 0; at < size_bytes / 2 && !found; at += ALIGNMENT) {
		found = looks_like_records(window, size_bytes, at, swapped);
		*ret = middle + at;
	}
	memory_free(window);
	return found;
}

static void keep(struct scout *scout, const struct record *record)
{
	size_t at = scout->bytes.count;

	vec_push(&scout->records, (struct scouted_record){ record->offset, at });
	vec_reserve(&scout->bytes, at + record->size);
	memcpy(scout->bytes.at + at, record->bytes, record->size);
	scout->bytes.count += record->size;
}

/* False: it is the pass's to look into. */
static bool take_record(struct scout *scout, const struct record *record)
{
	struct slice *open = &scout->open_slice;

	if (record->type == RECORD_COMPRESSED || record->type == RECORD_COMPRESSED2 ||
	    scout->bytes.count > KEPT_BYTES_MAX)
		return false;
	if (record->offset - open->begin >= SLICE_BYTES) {
		open->end = record->offset;
		vec_push(&scout->slices, *open);
		*open = (struct slice){ .begin = record->offset };
	}
	if (record->type == RECORD_SAMPLE) {
		scout->sample_count++;
		open->sample_count++;
	} else {
		keep(scout, record);
	}
	return true;
}

void scout_run(struct scout *scout)
{
	struct record record;
	struct error ignored;
	struct walk walk;

	walk_init(&walk, scout->input, scout->begin, scout->stream_end, scout->stream_end,
		  scout->swapped);
	walk_skip_samples(&walk);
	scout->end = scout->begin;
	while (!atomic_load_explicit(&scout->is_called_off, memory_order_relaxed) &&
	       walk_next(&walk, &record, &ignored) == WALK_RECORD && take_record(scout, &record))
		scout->end = walk.offset;
	walk_deinit(&walk);
}

void scout_call_off(struct scout *scout)
{
	atomic_store_explicit(&scout->is_called_off, true, memory_order_relaxed);
}

bool scout_init(struct scout *scout, const struct input *input, uint64_t begin, uint64_t end,
		bool swapped)
{
	*scout = (struct scout){ .input = input, .stream_end = end, .swapped = swapped };
	atomic_init(&scout->is_called_off, false);
	if (end - begin < SCOUTED_BYTES_MIN || !guess(input, begin, end, swapped, &scout->begin))
		return false;
	scout->open_slice.begin = scout->begin;
	return true;
}

void scout_deinit(struct scout *scout)
{
	vec_free(&scout->records);
	vec_free(&scout->bytes);
	vec_free(&scout->slices);
}

struct record scout_record(const struct scout *scout, size_t index)
{
	const struct scouted_record *kept = &scout->records.at[index];
	const unsigned char *bytes = scout->bytes.at + kept->at;

	return (struct record){
		.type = span_load_u32(bytes, scout->swapped),
		.misc = span_load_u16(bytes + 4, scout->swapped),
		.size = span_load_u16(bytes + 6, scout->swapped),
		.offset = kept->offset,
		.bytes = bytes,
	};
}
