/* SPDX-License-Identifier: MIT */
#include "dwarf/package_index.h"

#include <criterion/criterion.h>

#include "base/sink.h"

#define STEPS 1000

/* An index in the byte order of this machine. Both units have the same first slot. */
struct index {
	uint32_t version, column_count, unit_count, slot_count;
	uint64_t numbers[4];
	uint32_t rows[4];
	uint32_t columns[3], offsets[2][3], sizes[2][3];
};

/* Without padding. */
#define INDEX_BYTES (offsetof(struct index, sizes) + sizeof(((struct index *)NULL)->sizes))

static const struct index whole = {
	.version = 5,
	.column_count = 3,
	.unit_count = 2,
	.slot_count = 4,
	/* 0x...1 first tries slot 1, then, by its upper half, slot 0. */
	.numbers = { 0x300000001, 0x200000001, 0x2a, 0 },
	.rows = { 2, 1, 9, 0 },
	.columns = { 1, 3, 8 }, /* .debug_info, .debug_abbrev, .debug_rnglists */
	.offsets = { { 0, 10, 20 }, { 100, 110, 120 } },
	.sizes = { { 1, 2, 3 }, { 4, 5, 6 } },
};

static bool find(const struct index *index, size_t size_bytes, uint64_t number, uint64_t steps,
		 struct package_range ranges[static PACKAGE_SECTION_COUNT])
{
	struct reading_budget budget = { .left = steps };

	return package_index_find(span_of(index, size_bytes, 0, false), number, &budget, ranges);
}

Test(package_index, finds_units)
{
	struct package_range ranges[PACKAGE_SECTION_COUNT];

	cr_assert(find(&whole, sizeof(whole), 0x200000001, STEPS, ranges));
	cr_expect_eq(ranges[PACKAGE_INFO].offset, 0);
	cr_expect_eq(ranges[PACKAGE_INFO].size_bytes, 1);
	cr_assert(find(&whole, sizeof(whole), 0x300000001, STEPS, ranges));
	cr_expect_eq(ranges[PACKAGE_ABBREV].offset, 110);
	cr_expect_eq(ranges[PACKAGE_RNGLISTS].size_bytes, 6);
	cr_expect_eq(ranges[PACKAGE_LINE].size_bytes, 0);
}

Test(package_index, misses_units)
{
	static const struct {
		const char *what;
		uint64_t number, steps;
	} rows[] = {
		{ "the slot is empty", 3, STEPS },
		{ "another unit has the slot, and the next is empty", 0x200000002 + 1, STEPS },
		{ "the row is beyond the last unit", 0x2a, STEPS },
		{ "no time is left", 0x200000001, 0 },
	};
	struct package_range ranges[PACKAGE_SECTION_COUNT];
	struct index full = whole;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_not(find(&whole, sizeof(whole), rows[i].number, rows[i].steps, ranges),
			      "%s", rows[i].what);
	full.numbers[3] = 0x2b;
	full.rows[3] = 1;
	cr_expect_not(find(&full, sizeof(full), 0x99, STEPS, ranges), "all slots are used");
}

Test(package_index, survives_damage)
{
	struct package_range ranges[PACKAGE_SECTION_COUNT];
	struct index index = whole;

	for (size_t size_bytes = 0; size_bytes < INDEX_BYTES; size_bytes++)
		(void)find(&whole, size_bytes, 0x300000001, STEPS, ranges);
	cr_expect_not(find(&whole, INDEX_BYTES - 1, 0x300000001, STEPS, ranges));
	index.slot_count = 3;
	cr_expect_not(find(&index, sizeof(index), 0x200000001, STEPS, ranges));
	index = whole;
	index.unit_count = UINT32_MAX;
	cr_expect_not(find(&index, sizeof(index), 0x200000001, STEPS, ranges));
	index = whole;
	index.version = 4;
	cr_expect_not(find(&index, sizeof(index), 0x200000001, STEPS, ranges));
	index = whole;
	index.column_count = 1000;
	cr_expect_not(find(&index, sizeof(index), 0x200000001, STEPS, ranges));
}
