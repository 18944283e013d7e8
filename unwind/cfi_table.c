/* SPDX-License-Identifier: MIT */
#include "unwind/cfi_table.h"

#include "base/limits.h"

/* The only encodings in use: four bytes, of the rows relative to the table. */
enum {
	TABLE_VERSION = 1,
	COUNT_U32 = 0x03,
	ROWS_RELATIVE_S32 = 0x3b,
	SECTION_BYTES = 4,
};

static bool is_of_four_bytes(uint8_t encoding)
{
	return (encoding & 0x0f) == 0x03 || (encoding & 0x0f) == 0x0b;
}

bool cfi_table_read(struct span table, struct cfi *cfi)
{
	uint64_t own_address = span_offset(&table);
	uint64_t section_bytes = span_left(&cfi->section);
	uint64_t address_max = cfi->word_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	uint8_t version, of_section, of_count, of_rows;
	uint32_t count, begin, entry;

	if (!span_u8(&table, &version) || !span_u8(&table, &of_section) ||
	    !span_u8(&table, &of_count) || !span_u8(&table, &of_rows) || version != TABLE_VERSION ||
	    !is_of_four_bytes(of_section) || of_count != COUNT_U32 ||
	    of_rows != ROWS_RELATIVE_S32 || !span_skip(&table, SECTION_BYTES) ||
	    !span_u32(&table, &count) || count > LIMIT_CFI_FUNCTIONS ||
	    count > span_left(&table) / (sizeof(begin) + sizeof(entry)))
		return false;
	vec_reserve(&cfi->index, count);
	for (uint32_t i = 0; i < count; i++) {
		struct cfi_index_row row;

		if (!span_u32(&table, &begin) || !span_u32(&table, &entry))
			return false;
		row.begin = (own_address + (uint64_t)(int32_t)begin) & address_max;
		row.offset = own_address + (uint64_t)(int32_t)entry - cfi->section.base;
		if (row.offset >= section_bytes || (i && row.begin <= cfi->index.at[i - 1].begin))
			return false;
		vec_push(&cfi->index, row);
	}
	return true;
}
