/* SPDX-License-Identifier: MIT */
#include "dwarf/address_index.h"

#include <stdlib.h>

#include "dwarf/inline_table.h"

/*
 * Lengths from LENGTH_RESERVED on are reserved. LENGTH_64_BITS means that a 64-bit length follows.
 */
#define LENGTH_RESERVED 0xfffffff0u
#define LENGTH_64_BITS  0xffffffffu

#define INDEX_VERSION 2

struct set {
	uint64_t unit_offset;
	uint8_t address_bytes;
};

static bool read_word(struct span *span, bool is_64_bit, uint64_t *ret)
{
	uint32_t narrow;

	if (is_64_bit)
		return span_u64(span, ret);
	if (!span_u32(span, &narrow))
		return false;
	*ret = narrow;
	return true;
}

/*
 * Reads the length of the next set, and returns the rest of the set. Returns false at the end, or
 * if the set exceeds the section.
 */
static bool next_set(struct span *section, bool *is_64_bit_ret, struct span *ret)
{
	uint32_t narrow;
	uint64_t length;

	if (!span_u32(section, &narrow))
		return false;
	length = narrow;
	*is_64_bit_ret = narrow == LENGTH_64_BITS;
	if (*is_64_bit_ret ? !span_u64(section, &length) : narrow >= LENGTH_RESERVED)
		return false;
	return span_sub(section, length, ret);
}

/*
 * Reads the header of a set. Returns false if the set uses segments, or an address size other than
 * 4 or 8.
 */
static bool read_header(struct span *span, bool is_64_bit, struct set *set)
{
	size_t length_bytes = is_64_bit ? 12 : 4;
	size_t read_bytes;
	size_t pair_bytes;
	uint16_t version;
	uint8_t segment_bytes;

	if (!span_u16(span, &version) || version != INDEX_VERSION ||
	    !read_word(span, is_64_bit, &set->unit_offset) || !span_u8(span, &set->address_bytes) ||
	    !span_u8(span, &segment_bytes) || segment_bytes ||
	    (set->address_bytes != 4 && set->address_bytes != 8))
		return false;
	/* Pairs are aligned to their size, counted from the length field. */
	pair_bytes = 2 * (size_t)set->address_bytes;
	read_bytes = length_bytes + (size_t)(span->at - span->begin);
	return span_skip(span, (pair_bytes - read_bytes % pair_bytes) % pair_bytes);
}

static bool read_pair(struct span *span, const struct set *set, uint64_t *start, uint64_t *size)
{
	return read_word(span, set->address_bytes == 8, start) &&
	       read_word(span, set->address_bytes == 8, size);
}

static void add_range(struct address_index *index, uint64_t start, uint64_t end, uint64_t unit)
{
	if (index->ranges.count < LIMIT_DWARF_RANGES)
		vec_push(&index->ranges, (struct indexed_range){ start, end, unit });
}

static void read_set(struct address_index *index, struct span span, bool is_64_bit)
{
	struct set set;
	uint64_t start, size, end;

	if (!read_header(&span, is_64_bit, &set) || !read_pair(&span, &set, &start, &size))
		return;
	/* In an empty set, the first pair is the pair of zeros that ends the set. */
	if (!start && !size)
		add_range(index, 0, 0, set.unit_offset);
	while (start || size) {
		if (!__builtin_add_overflow(start, size, &end) && is_range_of_code(start, end))
			add_range(index, start, end, set.unit_offset);
		if (!read_pair(&span, &set, &start, &size))
			break;
	}
}

static int compare_ranges(const void *a, const void *b)
{
	const struct indexed_range *left = a;
	const struct indexed_range *right = b;

	if (left->unit_offset != right->unit_offset)
		return left->unit_offset < right->unit_offset ? -1 : 1;
	return (left->start > right->start) - (left->start < right->start);
}

void address_index_read(struct address_index *index, struct span section)
{
	bool is_64_bit;
	struct span set;

	while (next_set(&section, &is_64_bit, &set))
		read_set(index, set, is_64_bit);
	if (index->ranges.count > 1)
		qsort(index->ranges.at, index->ranges.count, sizeof(*index->ranges.at),
		      compare_ranges);
}

void address_index_deinit(struct address_index *index)
{
	vec_free(&index->ranges);
}
