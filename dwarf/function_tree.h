/* SPDX-License-Identifier: MIT */
/*
 * Converts one function to segments of an inline table. Inlined functions are nested entries with
 * address ranges; at each address the innermost counts.
 *
 *     main      |----------------------------|        main | parse | next | parse | main
 *     ├ parse        |-----------------|       ──▶
 *     │ └ next            |----|
 */
#ifndef DWARF_FUNCTION_TREE_H
#define DWARF_FUNCTION_TREE_H

#include "dwarf/die_name.h"
#include "dwarf/die_walk.h"

/* Nesting depth of debug information entries. Compilers nest entries a few dozen deep. */
#define LIMIT_DWARF_DEPTH 256u

struct function_part {
	uint64_t start, end;
	uint32_t depth, node; /* node: a row of lists before the parts are sorted */
};

/* A list of ranges, and the innermost entry of a function that has it. */
struct function_list {
	uint64_t key; /* offset in the file; 0: not a list that can be shared */
	uint32_t depth, node;
};

/* A list of ranges that was searched for the wanted addresses. */
struct unit_list {
	uint64_t key;
};

struct function_tree {
	struct die_names *names;
	struct inline_table *table;
	const struct unit_entries *unit; /* of the functions that are added */
	Dwarf_Files *files;              /* of the unit; NULL if not needed or missing */
	struct reading_budget *budget;
	uint64_t base; /* start address of range lists in split units, which libdw does not know */
	struct die_walk walk;
	uint32_t nodes[LIMIT_DWARF_DEPTH]; /* by depth of the walk: the function of the entry */
	struct idtable list_table;         /* of lists */
	VEC(struct function_list) lists;   /* of the current function */
	struct idtable unit_list_table;    /* of unit_lists */
	VEC(struct unit_list) unit_lists;
	VEC(struct function_part) parts;
	VEC(struct function_part) open;
};

/* The arguments are borrowed. */
void function_tree_init(struct function_tree *tree, struct die_names *names,
			struct inline_table *table, struct reading_budget *budget);
void function_tree_deinit(struct function_tree *tree);

/* Call it before the functions of a unit are added for a list of addresses. */
void function_tree_begin(struct function_tree *tree);

/*
 * Whether a function has code at one of the addresses, which are ascending. Of functions that share
 * a list of ranges, only the first.
 */
bool function_tree_has_any(struct function_tree *tree, Dwarf_Die *die, const uint64_t *addresses,
			   size_t count);

/* Adds a function (DW_TAG_subprogram) and everything inlined into it. */
void function_tree_add(struct function_tree *tree, Dwarf_Die *function);

#endif
