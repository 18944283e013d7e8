/* SPDX-License-Identifier: MIT */
#include "object/elf_layout.h"

#include "base/memory.h"

#define PAGE_BYTES_MAX ((uint64_t)65536)

/* The largest page size that divides offset and size_bytes. */
static uint64_t page_of(uint64_t offset, uint64_t size_bytes)
{
	uint64_t lowest = (offset | size_bytes) & -(offset | size_bytes);

	return lowest < PAGE_BYTES ? PAGE_BYTES : lowest > PAGE_BYTES_MAX ? PAGE_BYTES_MAX : lowest;
}

/* Rounds [begin, begin + bytes) to pages. Returns false on overflow. */
static bool round_to_pages(uint64_t page, uint64_t *begin, uint64_t *end)
{
	*begin &= ~(page - 1);
	if (__builtin_add_overflow(*end, page - 1, end))
		return false;
	*end &= ~(page - 1);
	return true;
}

/* The size of all segments in memory, with gaps. */
static uint64_t reserved_bytes(const struct elf_file *elf, uint64_t page)
{
	uint64_t begin = elf->segments.at[0].address;
	uint64_t end = begin;

	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct elf_segment *segment = &elf->segments.at[i];
		uint64_t segment_end;

		if (!__builtin_add_overflow(segment->address, segment->memory_bytes,
					    &segment_end) &&
		    segment_end > end)
			end = segment_end;
	}
	return round_to_pages(page, &begin, &end) ? end - begin : 0;
}

static bool may_begin_at(const struct elf_file *elf, uint64_t at, uint64_t size_bytes,
			 bool by_address)
{
	uint64_t page = page_of(at, size_bytes);

	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct elf_segment *segment = &elf->segments.at[i];
		uint64_t begin = by_address ? segment->address : segment->file_offset;
		uint64_t end;

		if (!segment->is_executable ||
		    __builtin_add_overflow(begin,
					   by_address ? segment->memory_bytes : segment->file_bytes,
					   &end) ||
		    !round_to_pages(page, &begin, &end))
			continue;
		if (at >= begin && at < end && size_bytes <= end - at)
			return true;
		if (i == 0 && at == begin && size_bytes <= reserved_bytes(elf, page))
			return true;
	}
	return elf->segments.count == 0;
}

bool elf_layout_may_map(const struct elf_file *elf, uint64_t offset, uint64_t size_bytes)
{
	return may_begin_at(elf, offset, size_bytes, false);
}

bool elf_layout_may_lie_at(const struct elf_file *elf, uint64_t address, uint64_t size_bytes)
{
	return may_begin_at(elf, address, size_bytes, true);
}
