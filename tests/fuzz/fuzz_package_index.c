/* SPDX-License-Identifier: MIT */
/*
 * The index of a package of split debug information, preceded by the byte order and the id of a
 * unit:
 *
 *     | 1 byte | 8 bytes | .debug_cu_index ... |
 *
 * For any index: a unit that is found has a range of .debug_info, and is found again.
 */
#include <stdint.h>

#include "dwarf/package_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct package_range ranges[PACKAGE_SECTION_COUNT];
	struct package_range again[PACKAGE_SECTION_COUNT];
	struct span span = span_of(bytes, size, 0, false);
	uint64_t number;
	uint8_t order;
	struct reading_budget budget = { .left = UINT64_MAX };
	bool is_found;

	if (!span_u8(&span, &order))
		return 0;
	span.swapped = order % 2;
	if (!span_u64(&span, &number))
		return 0;
	is_found = package_index_find(span, number, &budget, ranges);
	if (is_found && !ranges[PACKAGE_INFO].size_bytes)
		__builtin_trap();
	if (package_index_find(span, number, &budget, again) != is_found ||
	    (is_found && memcmp(ranges, again, sizeof(again)) != 0))
		__builtin_trap();
	return 0;
}
