/* SPDX-License-Identifier: MIT */
#include "dwarf/address_index.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define RANGES_MAX 4

/* All numbers in the bytes are big-endian, so that every machine reads the same ones. */
struct row {
	const char *name;
	const char *bytes;
	size_t size_bytes;
	struct indexed_range ranges[RANGES_MAX];
	size_t count;
};

#define BYTES(text) text, sizeof(text) - 1

#define HEAD_8 "\0\2\0\0\0\x40\x08\0\0\0\0\0" /* of unit 0x40; ends with padding */
#define PAIR_8(a, s)          \
	"\0\0\0\0\0\0" a "\0" \
	"\0\0\0\0\0\0" s "\0"
#define END_8 "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

static const struct row rows[] = {
	{ "nothing", BYTES(""), { { 0 } }, 0 },
	{ "one range",
	  BYTES("\0\0\0\x2c" HEAD_8 PAIR_8("\x10", "\1") END_8),
	  { { 0x1000, 0x1100, 0x40 } },
	  1 },
	{ "ranges of a unit in order",
	  BYTES("\0\0\0\x3c" HEAD_8 PAIR_8("\x20", "\1") PAIR_8("\x10", "\1") END_8),
	  { { 0x1000, 0x1100, 0x40 }, { 0x2000, 0x2100, 0x40 } },
	  2 },
	{ "code that was dropped, and an end that is missing",
	  BYTES("\0\0\0\x2c" HEAD_8 PAIR_8("\0", "\1") PAIR_8("\x10", "\1")),
	  { { 0x1000, 0x1100, 0x40 } },
	  1 },
	{ "a unit without code", BYTES("\0\0\0\x1c" HEAD_8 END_8), { { 0, 0, 0x40 } }, 1 },
	{ "a unit all of whose code was dropped",
	  BYTES("\0\0\0\x2c" HEAD_8 PAIR_8("\0", "\1") END_8),
	  { { 0 } },
	  0 },
	{ "an empty set that is cut", BYTES("\0\0\0\x14" HEAD_8 "\0\0\0\0\0\0\0\0"), { { 0 } }, 0 },
	{ "two sets, of short addresses the first",
	  BYTES("\0\0\0\x1c\0\2\0\0\0\x80\x04\0\0\0\0\0\0\0\x30\0\0\0\0\x10\0\0\0\0\0\0\0\0"
		"\0\0\0\x2c" HEAD_8 PAIR_8("\x10", "\1") END_8),
	  { { 0x1000, 0x1100, 0x40 }, { 0x3000, 0x3010, 0x80 } },
	  2 },
	{ "lengths in 64 bits",
	  BYTES("\xff\xff\xff\xff\0\0\0\0\0\0\0\x34\0\2\0\0\0\0\0\0\0\x40\x08\0\0\0\0\0\0\0\0\0" PAIR_8(
		  "\x10", "\1") END_8),
	  { { 0x1000, 0x1100, 0x40 } },
	  1 },
	{ "another version is passed over",
	  BYTES("\0\0\0\x2c\0\3\0\0\0\x40\x08\0\0\0\0\0" PAIR_8("\x10", "\1") END_8
		"\0\0\0\x2c" HEAD_8 PAIR_8("\x20", "\1") END_8),
	  { { 0x2000, 0x2100, 0x40 } },
	  1 },
	{ "segments",
	  BYTES("\0\0\0\x2c\0\2\0\0\0\x40\x08\4\0\0\0\0" PAIR_8("\x10", "\1") END_8),
	  { { 0 } },
	  0 },
	{ "addresses of three bytes",
	  BYTES("\0\0\0\x2c\0\2\0\0\0\x40\x03\0\0\0\0\0" PAIR_8("\x10", "\1") END_8),
	  { { 0 } },
	  0 },
	{ "a range beyond the last address",
	  BYTES("\0\0\0\x2c" HEAD_8 "\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\2\0" END_8),
	  { { 0 } },
	  0 },
	{ "longer than the section",
	  BYTES("\0\0\0\x2d" HEAD_8 PAIR_8("\x10", "\1") END_8),
	  { { 0 } },
	  0 },
	{ "a reserved length",
	  BYTES("\xff\xff\xff\xf0" HEAD_8 PAIR_8("\x10", "\1") END_8),
	  { { 0 } },
	  0 },
	{ "cut in its head", BYTES("\0\0\0\x05\0\2\0\0\0"), { { 0 } }, 0 },
};

Test(address_index, sets)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct address_index index = { .ranges = { .at = NULL } };

		address_index_read(&index,
				   span_of(row->bytes, row->size_bytes, 0, !HOST_IS_BIG_ENDIAN));
		cr_expect_eq(index.ranges.count, row->count, "%s: %zu ranges", row->name,
			     index.ranges.count);
		for (size_t k = 0; k < row->count && k < index.ranges.count; k++) {
			const struct indexed_range *range = &index.ranges.at[k];
			const struct indexed_range *wanted = &row->ranges[k];

			cr_expect(range->start == wanted->start && range->end == wanted->end &&
					  range->unit_offset == wanted->unit_offset,
				  "%s: range %zu", row->name, k);
		}
		address_index_deinit(&index);
	}
	assert_no_leaks();
}
