/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/units.h"

#include <dwarf.h>

#include "base/limits.h"
#include "dwarf/function_tree.h"

void units_deinit(struct units *units)
{
	vec_free(&units->rows);
	vec_free(&units->ranges);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *left = a;
	const struct unit_range *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return (left->unit > right->unit) - (left->unit < right->unit);
}

static void add_unit(struct units *units, Dwarf_Die *die)
{
	struct unit unit = { .die = *die };
	Dwarf_Addr base;
	Dwarf_Addr start;
	Dwarf_Addr end;
	ptrdiff_t offset = 0;

	while (units->ranges.count < LIMIT_DWARF_RANGES &&
	       (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (!is_range_of_code(start, end))
			continue;
		unit.has_ranges = true;
		vec_push(&units->ranges,
			 (struct unit_range){ start, end, (uint32_t)units->rows.count });
	}
	vec_push(&units->rows, unit);
}

/* Cuts ranges that overlap where the next begins. */
static void finish(struct units *units)
{
	if (units->ranges.count > 1)
		qsort(units->ranges.at, units->ranges.count, sizeof(*units->ranges.at),
		      compare_ranges);
	for (size_t i = 1; i < units->ranges.count; i++)
		if (units->ranges.at[i - 1].end > units->ranges.at[i].start)
			units->ranges.at[i - 1].end = units->ranges.at[i].start;
}

void units_read(struct units *units, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_CU *next;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die;

	/* The split unit that belongs to it is not asked for: libdw would open any file named there. */
	while (dwarf_get_units(dwarf, unit, &next, &version, &type, &die, NULL) == 0) {
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(units, &die);
		unit = next;
	}
	finish(units);
}

uint32_t units_find(const struct units *units, uint64_t address, struct inline_range *gap_ret)
{
	size_t low = 0;
	size_t high = units->ranges.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (units->ranges.at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && address < units->ranges.at[low - 1].end)
		return units->ranges.at[low - 1].unit;
	gap_ret->start = low > 0 ? units->ranges.at[low - 1].end : 0;
	gap_ret->end = low < units->ranges.count ? units->ranges.at[low].start : UINT64_MAX;
	return UNIT_NONE;
}

#endif
