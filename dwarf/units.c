/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/units.h"

#include <dwarf.h>

#include "base/leb128.h"
#include "dwarf/abbreviations.h"

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

static void add_range(struct units *units, uint64_t start, uint64_t end)
{
	vec_push(&units->ranges, (struct unit_range){ start, end, (uint32_t)units->rows.count });
}

/*
 * Adds a unit with its ranges in the index. The search for these ranges starts at row *at. Returns
 * false if the index does not list the unit.
 */
static bool add_indexed(struct units *units, const struct address_index *index, size_t *at,
			Dwarf_Off unit, Dwarf_Off entry)
{
	size_t first_range = units->ranges.count;
	size_t first;

	while (*at < index->ranges.count && index->ranges.at[*at].unit_offset < unit)
		++*at;
	first = *at;
	for (; *at < index->ranges.count && index->ranges.at[*at].unit_offset == unit; ++*at)
		if (index->ranges.at[*at].start < index->ranges.at[*at].end)
			add_range(units, index->ranges.at[*at].start, index->ranges.at[*at].end);
	if (units->ranges.count > first_range)
		vec_push(&units->rows, (struct unit){ entry, true });
	return *at > first;
}

bool units_spend(const struct debug_image *image, Dwarf_Off entry, Dwarf_Off table,
		 struct reading_budget *budget)
{
	struct span info = debug_image_section(image, DEBUG_INFO);
	struct span abbreviations = debug_image_section(image, DEBUG_ABBREV);
	uint64_t code;

	return span_skip(&info, entry) && leb128_unsigned(&info, &code) &&
	       span_skip(&abbreviations, table) &&
	       reading_budget_spend(budget, 1 + abbreviations_measure(abbreviations, code) / 4);
}

/* Adds a unit with its own ranges. */
static void add_unit(struct units *units, Dwarf_Off entry, Dwarf_Off table)
{
	struct unit unit = { .offset = entry };
	Dwarf_Die die;
	Dwarf_Addr base;
	Dwarf_Addr start;
	Dwarf_Addr end;
	ptrdiff_t offset = 0;
	uint8_t type;

	/*
	 * Do not ask libdw for the split unit, because libdw would open any file that the skeleton
	 * names.
	 */
	if (!units_spend(units->image, entry, table, units->budget) ||
	    !dwarf_offdie(units->dwarf, entry, &die) ||
	    dwarf_cu_info(die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    (type != DW_UT_compile && type != DW_UT_skeleton))
		return;
	while (reading_budget_spend(units->budget, 1) &&
	       (offset = dwarf_ranges(&die, offset, &base, &start, &end)) > 0) {
		if (!is_range_of_code(start, end))
			continue;
		unit.has_ranges = true;
		add_range(units, start, end);
	}
	vec_push(&units->rows, unit);
}

/* If ranges overlap, truncates each where the next one begins. */
static void finish(struct units *units)
{
	if (units->ranges.count > 1)
		qsort(units->ranges.at, units->ranges.count, sizeof(*units->ranges.at),
		      compare_ranges);
	for (size_t i = 1; i < units->ranges.count; i++)
		if (units->ranges.at[i - 1].end > units->ranges.at[i].start)
			units->ranges.at[i - 1].end = units->ranges.at[i].start;
}

void units_read(struct units *units, Dwarf *dwarf, const struct debug_image *image,
		const struct address_index *index, struct reading_budget *budget)
{
	Dwarf_Off table;
	Dwarf_Off unit = 0;
	Dwarf_Off next;
	size_t header_bytes;
	size_t at = 0;

	units->dwarf = dwarf;
	units->image = image;
	units->budget = budget;
	while (dwarf_next_unit(dwarf, unit, &next, &header_bytes, NULL, &table, NULL, NULL, NULL,
			       NULL) == 0 &&
	       next > unit) {
		if (!add_indexed(units, index, &at, unit, unit + header_bytes))
			add_unit(units, unit + header_bytes, table);
		unit = next;
	}
	finish(units);
}

bool units_entry(const struct units *units, uint32_t unit, Dwarf_Die *ret)
{
	return dwarf_offdie(units->dwarf, units->rows.at[unit].offset, ret);
}

uint32_t units_find(const struct units *units, uint64_t address, struct inline_range *gap_ret)
{
	size_t low = vec_count_first(&units->ranges, range, range->start <= address);
	if (low > 0 && address < units->ranges.at[low - 1].end)
		return units->ranges.at[low - 1].unit;
	gap_ret->start = low > 0 ? units->ranges.at[low - 1].end : 0;
	gap_ret->end = low < units->ranges.count ? units->ranges.at[low].start : UINT64_MAX;
	return UNIT_NONE;
}

#endif
