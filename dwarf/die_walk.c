/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/die_walk.h"

#include "base/leb128.h"
#include "dwarf/function_tree.h"

void unit_entries_init(struct unit_entries *entries, struct reading_budget *budget)
{
	*entries = (struct unit_entries){ .budget = budget };
	abbreviations_init(&entries->abbreviations);
}

void unit_entries_deinit(struct unit_entries *entries)
{
	abbreviations_deinit(&entries->abbreviations);
}

void unit_entries_forget(struct unit_entries *entries)
{
	entries->table = NULL;
}

/* Reads a table of abbreviations, unless the previous unit used the same table and sizes. */
static bool read_abbreviations(struct unit_entries *entries, struct span table,
			       const struct entry_sizes *sizes)
{
	const struct entry_sizes *last = &entries->abbreviations.sizes;

	if (entries->table == table.at && last->version == sizes->version &&
	    last->address_bytes == sizes->address_bytes &&
	    last->offset_bytes == sizes->offset_bytes)
		return true;
	entries->table = NULL;
	if (!abbreviations_read(&entries->abbreviations, table, sizes))
		return false;
	entries->table = table.at;
	return reading_budget_spend(entries->budget, entries->abbreviations.size_bytes / 4);
}

bool unit_entries_read(struct unit_entries *entries, const struct debug_image *image,
		       Dwarf_Die *die)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	struct span section = debug_image_section(image, DEBUG_INFO);
	uint64_t section_bytes = span_left(&section);
	Dwarf_Off die_in_unit = dwarf_cuoffset(die);
	Dwarf_Off unit = dwarf_dieoffset(die) - die_in_unit;
	const unsigned char *begin = (const unsigned char *)die->addr - die_in_unit;
	struct span abbreviations;
	Dwarf_Off abbreviations_at;
	Dwarf_Off next;
	size_t header_bytes;
	struct entry_sizes sizes;

	if (dwarf_next_unit(dwarf, unit, &next, &header_bytes, &sizes.version, &abbreviations_at,
			    &sizes.address_bytes, &sizes.offset_bytes, NULL, NULL) != 0)
		return false;
	/* If several sections have the same name, libdw may have used a different one. */
	if (unit > section_bytes || section.at + unit != begin)
		return false;
	/* libdw does not check the length of a unit. */
	if (next > section_bytes)
		next = section_bytes;
	if (next < unit || next - unit < die_in_unit)
		return false;
	abbreviations = debug_image_section(image, DEBUG_ABBREV);
	entries->bytes = span_of(begin, next - unit, 0, abbreviations.swapped);
	return span_skip(&abbreviations, abbreviations_at) &&
	       read_abbreviations(entries, abbreviations, &sizes);
}

/*
 * Counts the work for an entry. For each requested attribute, libdw scans all attributes of the
 * entry again.
 */
static bool spend_entry(const struct die_walk *walk)
{
	return reading_budget_spend(walk->unit->budget, 1 + walk->row->attribute_count / 8);
}

/*
 * Reads the entry at walk->rest. *is_end_ret: whether the entry ends a list of children. Returns
 * false if the entry is corrupt.
 */
static bool read_entry(struct die_walk *walk, bool *is_end_ret)
{
	const unsigned char *at = walk->rest.at;
	uint64_t code;

	/* At the end of the unit, all open lists end. */
	*is_end_ret = !span_left(&walk->rest);
	if (*is_end_ret)
		return true;
	if (!leb128_unsigned(&walk->rest, &code))
		return false;
	*is_end_ret = !code;
	if (!code)
		return true;
	walk->row = abbreviations_find(&walk->unit->abbreviations, code);
	walk->current.addr = (void *)(uintptr_t)at;
	walk->current.abbrev = NULL;
	return walk->row && spend_entry(walk) &&
	       abbreviations_skip(&walk->unit->abbreviations, walk->row, &walk->rest,
				  &walk->sibling);
}

void die_walk_init(struct die_walk *walk, const struct unit_entries *unit, const Dwarf_Die *root)
{
	bool is_end;

	walk->unit = unit;
	walk->current = *root;
	walk->depth = 0;
	walk->rest = unit->bytes;
	walk->rest.at = root->addr;
	walk->is_damaged = !read_entry(walk, &is_end) || is_end;
}

/* Skips the children of the current entry. Returns false if the list of children has no end. */
static bool skip_children(struct die_walk *walk)
{
	struct span after = walk->unit->bytes;
	unsigned depth = 1;
	bool is_end;

	if (span_skip(&after, walk->sibling) && after.at > walk->rest.at) {
		walk->rest = after;
		return true;
	}
	while (depth > 0) {
		if (!read_entry(walk, &is_end))
			return false;
		if (is_end)
			depth--;
		else
			depth += walk->row->has_children;
	}
	return true;
}

bool die_walk_next(struct die_walk *walk, bool enters)
{
	bool is_end;

	if (walk->is_damaged)
		return false;
	if (walk->row->has_children && enters && walk->depth + 1 < LIMIT_DWARF_DEPTH)
		walk->depth++;
	else if (walk->depth > 0 && walk->row->has_children)
		walk->is_damaged = !skip_children(walk);
	for (; walk->depth > 0 && !walk->is_damaged; walk->depth--) {
		walk->is_damaged = !read_entry(walk, &is_end);
		if (!is_end)
			return !walk->is_damaged;
	}
	return false;
}

#endif
