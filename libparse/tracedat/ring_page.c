/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/ring_buffer.h"

#define COMMIT_MASK ((1u << 27) - 1)
/* Records are missing before this page; their number is known, and stored after the records. */
#define MISSING_EVENTS (1u << 31)
#define MISSING_STORED (1u << 30)

/* Values of a record's type; from 1 to TYPE_DATA_MAX, it is the length of the data in words. */
#define TYPE_LONG_DATA   0
#define TYPE_DATA_MAX    28
#define TYPE_PADDING     29
#define TYPE_TIME_EXTEND 30
#define TYPE_TIME_STAMP  31

#define TIME_BITS 27
/* The upper bits of the time, which do not fit in a TYPE_TIME_STAMP. */
#define TIME_STAMP_MASK ((1ull << (32 + TIME_BITS)) - 1)

static bool read_long(struct span *span, unsigned long_bytes, uint64_t *ret)
{
	uint32_t number;

	if (long_bytes == 8)
		return span_u64(span, ret);
	if (!span_u32(span, &number))
		return false;
	*ret = number;
	return true;
}

bool ring_page_open(struct ring_page *page, struct span bytes, unsigned long_bytes)
{
	uint64_t commit;
	uint64_t size_bytes;

	*page = (struct ring_page){ 0 };
	if (!span_u64(&bytes, &page->time) || !read_long(&bytes, long_bytes, &commit))
		return false;
	size_bytes = commit & COMMIT_MASK;
	page->is_corrupt = size_bytes > span_left(&bytes);
	if (page->is_corrupt)
		size_bytes = span_left(&bytes);
	span_sub(&bytes, size_bytes, &page->left);
	if (!(commit & MISSING_EVENTS))
		return true;
	if (!(commit & MISSING_STORED) || !read_long(&bytes, long_bytes, &page->lost_count) ||
	    !page->lost_count)
		page->lost_count = 1;
	return true;
}

/*
 * The kernel keeps the upper bits of the previous record's time. The kernel adds one if the lower
 * bits have wrapped around since then.
 */
static uint64_t absolute_time(uint64_t previous, uint64_t time)
{
	time |= previous & ~TIME_STAMP_MASK;
	return time < previous && (previous & ~TIME_STAMP_MASK) ? time + TIME_STAMP_MASK + 1 : time;
}

enum step {
	STEP_DATA,
	STEP_NEXT, /* the record has no data */
	STEP_END,
	STEP_CORRUPT,
};

/* Reads what follows the first word of a record. */
static enum step read_rest(struct ring_page *page, uint32_t type, uint32_t delta,
			   struct span *data_ret)
{
	struct span *left = &page->left;
	uint32_t word = 0;

	if (type > 0 && type <= TYPE_DATA_MAX) {
		page->time += delta;
		return span_sub(left, (uint64_t)type * 4, data_ret) ? STEP_DATA : STEP_CORRUPT;
	}
	if (type == TYPE_PADDING && !delta)
		return STEP_END;
	if (!span_u32(left, &word))
		return STEP_CORRUPT;
	if (type == TYPE_TIME_STAMP) {
		page->time = absolute_time(page->time, ((uint64_t)word << TIME_BITS) + delta);
		return STEP_NEXT;
	}
	page->time += delta;
	if (type == TYPE_TIME_EXTEND) {
		page->time += (uint64_t)word << TIME_BITS;
		return STEP_NEXT;
	}
	/* The length of data and padding includes its own word. */
	if (word < 4)
		return STEP_CORRUPT;
	word = (word - 4 + 3) & ~3u;
	if (!span_sub(left, word, data_ret))
		return STEP_CORRUPT;
	return type == TYPE_LONG_DATA ? STEP_DATA : STEP_NEXT;
}

bool ring_page_next(struct ring_page *page, struct ring_record *ret)
{
	enum step step = STEP_NEXT;
	uint32_t word;

	while (step == STEP_NEXT && span_u32(&page->left, &word)) {
		if (span_is_big_endian(&page->left))
			step = read_rest(page, word >> TIME_BITS, word & ((1u << TIME_BITS) - 1),
					 &ret->data);
		else
			step = read_rest(page, word & 31, word >> 5, &ret->data);
	}
	ret->time = page->time;
	if (step == STEP_DATA)
		return true;
	page->is_corrupt |= step == STEP_CORRUPT;
	page->left.at = page->left.end;
	return false;
}
