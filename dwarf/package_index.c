/* SPDX-License-Identifier: MIT */
#include "dwarf/package_index.h"

/*
 * Maximum number of columns of a package index. An index has at most one column for each section,
 * and sections are numbered from 1 to 8.
 */
#define LIMIT_PACKAGE_COLUMNS 16u

/* The number of slots of the hash table that are read in the time of one step. */
#define SLOTS_PER_STEP 4u

struct package_header {
	uint32_t version, column_count, unit_count, slot_count;
};

/* The section of a column, by DW_SECT number. */
static enum package_section section_of(uint32_t version, uint32_t number)
{
	switch (number) {
	case 1:
		return PACKAGE_INFO;
	case 3:
		return PACKAGE_ABBREV;
	case 4:
		return PACKAGE_LINE;
	case 6:
		return PACKAGE_STR_OFFSETS;
	case 8:
		return version >= 5 ? PACKAGE_RNGLISTS : PACKAGE_SECTION_COUNT;
	default:
		return PACKAGE_SECTION_COUNT;
	}
}

/* In version 5, the version number has only two bytes, and two bytes of padding follow. */
static bool read_header(struct span *index, struct package_header *ret)
{
	return span_u32(index, &ret->version) && span_u32(index, &ret->column_count) &&
	       span_u32(index, &ret->unit_count) && span_u32(index, &ret->slot_count) &&
	       ((ret->version = span_is_big_endian(index) && ret->version > 0xffff
					? ret->version >> 16
					: ret->version) == 2 ||
		ret->version == 5) &&
	       ret->column_count <= LIMIT_PACKAGE_COLUMNS;
}

/*
 * Returns the row number of a unit, counted from 1, or 0 if the unit is missing. The slots are a
 * hash table with open addressing. The lower half of the id selects the first slot, and the upper
 * half is the step.
 */
static uint32_t find_row(struct span *index, const struct package_header *header, uint64_t number,
			 struct reading_budget *budget)
{
	uint32_t mask = header->slot_count - 1;
	uint32_t slot = (uint32_t)number & mask;
	uint32_t step = ((uint32_t)(number >> 32) & mask) | 1;
	struct span numbers;
	struct span rows;

	if (!header->slot_count || header->slot_count & mask ||
	    !span_sub(index, (uint64_t)header->slot_count * 8, &numbers) ||
	    !span_sub(index, (uint64_t)header->slot_count * 4, &rows))
		return 0;
	for (uint32_t i = 0; i < header->slot_count; i++) {
		uint64_t here = span_load_u64(numbers.at + 8 * (size_t)slot, index->swapped);
		uint32_t row = span_load_u32(rows.at + 4 * (size_t)slot, index->swapped);

		/* If the table is full, every search may read all of it. */
		if (!row || (i % SLOTS_PER_STEP == 0 && !reading_budget_spend(budget, 1)))
			return 0;
		if (here == number)
			return row <= header->unit_count ? row : 0;
		slot = (slot + step) & mask;
	}
	return 0;
}

bool package_index_find(struct span index, uint64_t number, struct reading_budget *budget,
			struct package_range ranges[static PACKAGE_SECTION_COUNT])
{
	struct package_header header;
	struct span columns;
	struct span offsets;
	struct span sizes;
	uint64_t table_bytes;
	uint64_t skipped;
	uint32_t row;

	memset(ranges, 0, PACKAGE_SECTION_COUNT * sizeof(*ranges));
	if (!read_header(&index, &header) || !(row = find_row(&index, &header, number, budget)) ||
	    __builtin_mul_overflow((uint64_t)header.column_count * 4, header.unit_count,
				   &table_bytes))
		return false;
	skipped = (uint64_t)header.column_count * 4 * (row - 1);
	if (!span_sub(&index, (uint64_t)header.column_count * 4, &columns) ||
	    !span_sub(&index, table_bytes, &offsets) || !span_sub(&index, table_bytes, &sizes) ||
	    !span_skip(&offsets, skipped) || !span_skip(&sizes, skipped))
		return false;
	for (uint32_t i = 0; i < header.column_count; i++) {
		struct package_range stretch;
		enum package_section section;
		uint32_t column;

		if (!span_u32(&columns, &column) || !span_u32(&offsets, &stretch.offset) ||
		    !span_u32(&sizes, &stretch.size_bytes))
			return false;
		section = section_of(header.version, column);
		if (section < PACKAGE_SECTION_COUNT)
			ranges[section] = stretch;
	}
	return ranges[PACKAGE_INFO].size_bytes > 0;
}
