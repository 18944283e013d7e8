/* SPDX-License-Identifier: MIT */
/*
 * One function of debug information as rows of a table: what is inlined into it is entries inside
 * entries, each with ranges, of which at any address the deepest counts.
 *
 *     main      |----------------------------|        main | parse | next | parse | main
 *     ├ parse        |-----------------|       ──▶
 *     │ └ next            |----|
 */
#ifndef DWARF_FUNCTION_TREE_H
#define DWARF_FUNCTION_TREE_H

#include "dwarf/die_name.h"
#include "dwarf/die_walk.h"

struct function_part {
	uint64_t start, end;
	uint32_t depth, node;
};

struct function_tree {
	struct die_names *names;
	struct inline_table *table;
	const struct unit_entries *unit; /* that functions are added from */
	Dwarf_Files *files;              /* of the unit; NULL: not asked for, or there are none */
	size_t range_count;              /* of all functions so far */
	uint64_t base; /* what lists of ranges are counted from that libdw cannot know; or 0 */
	struct die_walk walk;
	uint32_t nodes
		[LIMIT_DWARF_DEPTH]; /* the function each entry of the walk's path is part of */
	VEC(struct function_part) parts;
	VEC(struct function_part) open;
};

void function_tree_init(struct function_tree *tree, struct die_names *names,
			struct inline_table *table);
void function_tree_deinit(struct function_tree *tree);

/* Whether the entry has code at any of these addresses (ascending). */
bool function_tree_has_any(struct function_tree *tree, Dwarf_Die *die, const uint64_t *addresses,
			   size_t count);

/* Adds a function (DW_TAG_subprogram) and all that is inlined into it. */
void function_tree_add(struct function_tree *tree, Dwarf_Die *function);

#endif
