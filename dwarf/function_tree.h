/* SPDX-License-Identifier: MIT */
/*
 * Converts one function to segments of an inline table. Inlined functions are nested entries with address ranges; at
 * each address the innermost counts.
 *
 *     main      |----------------------------|        main | parse | next | parse | main
 *     ├ parse        |-----------------|       ──▶
 *     │ └ next            |----|
 */
#ifndef DWARF_FUNCTION_TREE_H
#define DWARF_FUNCTION_TREE_H

#include "dwarf/die_name.h"
#include "dwarf/die_walk.h"

/* Nested entries of debug information. Compilers nest tens. */
#define LIMIT_DWARF_DEPTH 256u
/* Address ranges of a file's units and functions. Chromium has some millions. */
#define LIMIT_DWARF_RANGES (1u << 25)

struct function_part {
	uint64_t start, end;
	uint32_t depth, node;
};

struct function_tree {
	struct die_names *names;
	struct inline_table *table;
	const struct unit_entries *unit; /* of the functions that are added */
	Dwarf_Files *files;              /* of the unit; NULL if not needed or missing */
	size_t range_count;              /* of all functions, for the limit */
	uint64_t base; /* start address of range lists in split units, which libdw does not know */
	struct die_walk walk;
	uint32_t nodes[LIMIT_DWARF_DEPTH]; /* by depth of the walk: the function of the entry */
	VEC(struct function_part) parts;
	VEC(struct function_part) open;
};

void function_tree_init(struct function_tree *tree, struct die_names *names,
			struct inline_table *table);
void function_tree_deinit(struct function_tree *tree);

/* Whether the entry has code at one of the addresses, which are ascending. */
bool function_tree_has_any(struct function_tree *tree, Dwarf_Die *die, const uint64_t *addresses,
			   size_t count);

/* Adds a function (DW_TAG_subprogram) and everything inlined into it. */
void function_tree_add(struct function_tree *tree, Dwarf_Die *function);

#endif
