/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/function_tree.h"

#include <dwarf.h>

#include "base/hash.h"

void function_tree_init(struct function_tree *tree, struct die_names *names,
			struct inline_table *table, struct reading_budget *budget)
{
	*tree = (struct function_tree){ .names = names, .table = table, .budget = budget };
}

void function_tree_deinit(struct function_tree *tree)
{
	vec_free(&tree->parts);
	vec_free(&tree->open);
	vec_free(&tree->lists);
	vec_free(&tree->unit_lists);
	idtable_deinit(&tree->list_table);
	idtable_deinit(&tree->unit_list_table);
}

void function_tree_begin(struct function_tree *tree)
{
	tree->unit_lists.count = 0;
	idtable_deinit(&tree->unit_list_table);
	idtable_init(&tree->unit_list_table);
}

/* Identifies an entry's list of ranges within the unit. Returns 0 if the entry has no list. */
static uint64_t list_key(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;

	if (!dwarf_attr(die, DW_AT_ranges, &attribute) || dwarf_hasattr(die, DW_AT_high_pc) ||
	    dwarf_formudata(&attribute, &offset) != 0)
		return 0;
	return offset + 1;
}

#define LIST_NONE UINT32_MAX

/* The index of the row with this key, or LIST_NONE. `table` is the hash table of `rows`. */
#define FIND_LIST(table, rows, wanted)                                                  \
	({                                                                              \
		struct idtable_probe probe_ = idtable_find(&(table), hash_u64(wanted)); \
		uint32_t row_;                                                          \
		while ((row_ = idtable_next(&(table), &probe_)) != LIST_NONE &&         \
		       (rows).at[row_].key != (wanted))                                 \
			;                                                               \
		row_;                                                                   \
	})

/*
 * The position in a list of ranges, initially zero. Entries of the list may change the base
 * address.
 */
struct range_cursor {
	ptrdiff_t offset;
	Dwarf_Addr base;
};

/* The next range of an entry; false at the end. */
static bool next_range(struct function_tree *tree, Dwarf_Die *die, struct range_cursor *cursor,
		       struct inline_range *ret)
{
	Dwarf_Addr start;
	Dwarf_Addr end;

	while (reading_budget_spend(tree->budget, 1) &&
	       (cursor->offset = dwarf_ranges(die, cursor->offset, &cursor->base, &start, &end)) >
		       0) {
		if (tree->base && !cursor->base && dwarf_hasattr(die, DW_AT_ranges)) {
			start += tree->base;
			end += tree->base;
		}
		*ret = (struct inline_range){ start, end };
		if (is_range_of_code(start, end))
			return true;
	}
	return false;
}

static bool has_any(struct function_tree *tree, Dwarf_Die *die, const uint64_t *addresses,
		    size_t count)
{
	struct range_cursor cursor = { 0 };
	struct inline_range range;

	while (next_range(tree, die, &cursor, &range)) {
		size_t low = 0;
		size_t high = count;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (addresses[middle] < range.start)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < count && addresses[low] < range.end)
			return true;
	}
	return false;
}

bool function_tree_has_any(struct function_tree *tree, Dwarf_Die *die, const uint64_t *addresses,
			   size_t count)
{
	struct unit_list list = { .key = list_key(die) };

	if (!list.key)
		return has_any(tree, die, addresses, count);
	if (FIND_LIST(tree->unit_list_table, tree->unit_lists, list.key) != LIST_NONE)
		return false;
	idtable_add(&tree->unit_list_table, hash_u64(list.key), (uint32_t)tree->unit_lists.count);
	vec_push(&tree->unit_lists, list);
	return has_any(tree, die, addresses, count);
}

/*
 * Adds the ranges of an entry. If nested entries share a list, only the innermost entry gets the
 * ranges, so that the list is read only once.
 */
static void add_parts(struct function_tree *tree, Dwarf_Die *die, uint32_t node)
{
	struct function_list list = { list_key(die), tree->walk.depth, node };
	uint32_t row = list.key ? FIND_LIST(tree->list_table, tree->lists, list.key) : LIST_NONE;
	struct range_cursor cursor = { 0 };
	struct inline_range range;

	if (row != LIST_NONE) {
		if (list.depth >= tree->lists.at[row].depth)
			tree->lists.at[row] = list;
		return;
	}
	row = (uint32_t)tree->lists.count;
	if (list.key)
		idtable_add(&tree->list_table, hash_u64(list.key), row);
	vec_push(&tree->lists, list);
	while (next_range(tree, die, &cursor, &range))
		vec_push(&tree->parts, (struct function_part){ .start = range.start,
							       .end = range.end,
							       .node = row });
}

/* Sets depth and node of all parts. */
static void resolve_lists(struct function_tree *tree)
{
	for (size_t i = 0; i < tree->parts.count; i++) {
		struct function_part *part = &tree->parts.at[i];
		const struct function_list *list = &tree->lists.at[part->node];

		part->depth = list->depth;
		part->node = list->node;
	}
}

static uint32_t unsigned_attribute(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0 || value > INT32_MAX)
		return 0;
	return (uint32_t)value;
}

static uint32_t add_node(struct function_tree *tree, Dwarf_Die *die, uint32_t parent)
{
	struct die_name name = die_names_of(tree->names, die);
	struct inline_node node = {
		.parent = parent,
		.name = name.name,
		.bare_name = name.bare_name,
		.file = name.file,
		.line = name.line,
	};

	if (tree->files && parent != INLINE_NONE) {
		node.call_line = unsigned_attribute(die, DW_AT_call_line);
		node.call_file = die_names_text(
			tree->names,
			dwarf_filesrc(tree->files, unsigned_attribute(die, DW_AT_call_file), NULL,
				      NULL));
	}
	vec_push(&tree->table->nodes, node);
	return (uint32_t)tree->table->nodes.count - 1;
}

/* Marks the parts from this one on as covered: those of a function, which may be a nested one. */
static void cover_parts(struct function_tree *tree, size_t first)
{
	for (size_t i = first; i < tree->parts.count; i++)
		vec_push(&tree->table->covered,
			 (struct inline_range){ tree->parts.at[i].start, tree->parts.at[i].end });
}

/* Adds the current entry of the walk; returns whether its children may have code. */
static bool add_entry(struct function_tree *tree)
{
	Dwarf_Die *die = die_walk_current(&tree->walk);
	unsigned depth = tree->walk.depth;
	uint32_t parent = tree->nodes[depth - 1];
	size_t first = tree->parts.count;
	int tag = die_walk_tag(&tree->walk);

	tree->nodes[depth] = parent;
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		if (tag == DW_TAG_subprogram)
			parent = INLINE_NONE;
		tree->nodes[depth] = add_node(tree, die, parent);
		add_parts(tree, die, tree->nodes[depth]);
		if (tag == DW_TAG_subprogram)
			cover_parts(tree, first);
		return true;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	default:
		return false;
	}
}

static int compare_parts(const void *a, const void *b)
{
	const struct function_part *left = a;
	const struct function_part *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return (left->depth > right->depth) - (left->depth < right->depth);
}

static void add_segment(struct function_tree *tree, uint64_t start, uint64_t end, uint32_t node)
{
	if (start < end)
		vec_push(&tree->table->segments, (struct inline_segment){ start, end, node, 0 });
}

/* Adds segments for the open parts up to an address. Returns where the last segment ends. */
static uint64_t close_before(struct function_tree *tree, uint64_t position, uint64_t address)
{
	while (tree->open.count) {
		struct function_part *top = &tree->open.at[tree->open.count - 1];

		if (top->end > address) {
			add_segment(tree, position, address, top->node);
			return address;
		}
		add_segment(tree, position, top->end, top->node);
		position = top->end > position ? top->end : position;
		tree->open.count--;
	}
	return address;
}

/* Converts the parts to segments in one sweep. A part that exceeds its parent is truncated. */
static void flatten(struct function_tree *tree)
{
	uint64_t position = 0;

	resolve_lists(tree);
	if (tree->parts.count > 1)
		qsort(tree->parts.at, tree->parts.count, sizeof(*tree->parts.at), compare_parts);
	for (size_t i = 0; i < tree->parts.count; i++) {
		struct function_part part = tree->parts.at[i];

		position = close_before(tree, position, part.start);
		if (tree->open.count && part.end > tree->open.at[tree->open.count - 1].end)
			part.end = tree->open.at[tree->open.count - 1].end;
		vec_push(&tree->open, part);
	}
	close_before(tree, position, UINT64_MAX);
}

void function_tree_add(struct function_tree *tree, Dwarf_Die *function)
{
	bool enters = true;

	tree->parts.count = tree->open.count = tree->lists.count = 0;
	idtable_deinit(&tree->list_table);
	idtable_init(&tree->list_table);
	die_walk_init(&tree->walk, tree->unit, function);
	tree->nodes[0] = add_node(tree, function, INLINE_NONE);
	add_parts(tree, function, tree->nodes[0]);
	cover_parts(tree, 0);
	while (die_walk_next(&tree->walk, enters))
		enters = add_entry(tree);
	/* A file that exceeds its budget is not used at all. */
	if (!tree->budget->is_exceeded)
		flatten(tree);
}

#endif
