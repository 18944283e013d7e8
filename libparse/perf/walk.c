/* SPDX-License-Identifier: MIT */
#include "libparse/perf/walk.h"

#include "base/memory.h"
#include "base/read_cache.h"

/* A window is large enough to amortise reads, and small enough for the L2 cache. */
#define WINDOW_BYTES ((size_t)256 << 10)
/*
 * The read size for a single record. Most records are smaller. The rest of a larger record is read
 * if needed.
 */
#define WINDOW_BYTES_SMALL ((size_t)4 << 10)

void walk_init(struct walk *walk, const struct input *input, uint64_t begin, uint64_t stop,
	       uint64_t end, bool swapped)
{
	uint64_t wanted = stop - begin;
	uint64_t left = end - begin;
	size_t window_bytes = wanted <= WINDOW_BYTES_SMALL ? LIMIT_RECORD_BYTES : WINDOW_BYTES;

	*walk = (struct walk){
		.input = input,
		.swapped = swapped,
		.offset = begin,
		.stop = stop,
		.end = end,
		.read_bytes = wanted <= WINDOW_BYTES_SMALL ? WINDOW_BYTES_SMALL : WINDOW_BYTES,
	};
	walk->window = memory_alloc(left < window_bytes ? (size_t)left : window_bytes, 1);
}

void walk_deinit(struct walk *walk)
{
	memory_free(walk->window);
	*walk = (struct walk){ 0 };
}

void walk_skip_samples(struct walk *walk)
{
	walk->skips_samples = true;
}

/* The number of bytes in the window from the next record on. */
static size_t in_window(const struct walk *walk)
{
	uint64_t window_end = walk->window_offset + walk->window_bytes;

	if (walk->offset < walk->window_offset || walk->offset >= window_end)
		return 0;
	return (size_t)(window_end - walk->offset);
}

static bool refill(struct walk *walk, size_t at_least_bytes, struct error *err)
{
	uint64_t left = walk->end - walk->offset;
	uint64_t wanted = walk->stop - walk->offset;
	size_t most = walk->peeks ? WINDOW_BYTES_SMALL : walk->read_bytes;

	/* Do not read beyond stop, because another worker reads the next slice. */
	if (wanted > most)
		wanted = most;
	if (wanted < at_least_bytes)
		wanted = at_least_bytes;
	if (wanted > left)
		wanted = left;
	walk->window_offset = walk->offset;
	walk->window_bytes = 0;
	return read_cache_read(walk->cache, walk->input, walk->offset, walk->window, (size_t)wanted,
			       &walk->window_bytes, err);
}

static bool read_header(struct walk *walk, struct error *err)
{
	if (walk->peeks)
		walk->peeks =
			input_peek(walk->input, walk->offset, walk->window, RECORD_HEADER_BYTES);
	if (!walk->peeks)
		return refill(walk, RECORD_HEADER_BYTES, err);
	walk->window_offset = walk->offset;
	walk->window_bytes = RECORD_HEADER_BYTES;
	return true;
}

/*
 * Two types of record are followed by bytes outside their size: AUXTRACE by the trace (u64 size),
 * TRACING_DATA in a pipe by the tracepoint formats (u32 size).
 */
static uint64_t bytes_behind(const struct walk *walk, const struct record *record)
{
	const unsigned char *payload = record->bytes + RECORD_HEADER_BYTES;

	if (record->type == RECORD_AUXTRACE && record->size >= RECORD_HEADER_BYTES + 8)
		return span_load_u64(payload, walk->swapped);
	if (record->type == RECORD_HEADER_TRACING_DATA && record->size >= RECORD_HEADER_BYTES + 4)
		return span_load_u32(payload, walk->swapped);
	return 0;
}

enum walk_result walk_next_slowly(struct walk *walk, struct record *ret, struct error *err)
{
	uint64_t left = walk->end - walk->offset;
	size_t available = in_window(walk);
	bool is_skipped;
	uint64_t next;

	if (left == 0 || walk->offset >= walk->stop)
		return WALK_END;
	if (left < RECORD_HEADER_BYTES)
		return WALK_TRUNCATED;
	if (available < RECORD_HEADER_BYTES) {
		if (!read_header(walk, err))
			return WALK_FAILED;
		available = in_window(walk);
		if (available < RECORD_HEADER_BYTES)
			return WALK_TRUNCATED;
	}
	ret->bytes = walk->window + (walk->offset - walk->window_offset);
	ret->size = span_load_u16(ret->bytes + 6, walk->swapped);
	if (ret->size < RECORD_HEADER_BYTES)
		return WALK_CORRUPT;
	if (ret->size > left)
		return WALK_TRUNCATED;
	ret->type = span_load_u32(ret->bytes, walk->swapped);
	is_skipped = walk->skips_samples && ret->type == RECORD_SAMPLE;
	if (is_skipped)
		walk->peeks = ret->size >= WALK_SKIPPED_BYTES_MIN;
	if (ret->size > available && !is_skipped) {
		if (!refill(walk, ret->size, err))
			return WALK_FAILED;
		if (ret->size > in_window(walk))
			return WALK_TRUNCATED;
		ret->bytes = walk->window;
	}
	ret->misc = span_load_u16(ret->bytes + 4, walk->swapped);
	ret->offset = walk->base + walk->offset;
	if (__builtin_add_overflow(walk->offset + ret->size, bytes_behind(walk, ret), &next) ||
	    next > walk->end)
		return WALK_TRUNCATED;
	walk->offset = next;
	return WALK_RECORD;
}
