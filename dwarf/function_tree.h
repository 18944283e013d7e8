/* SPDX-License-Identifier: MIT */
/*
 * Converts one function to segments of an inline table. Inlined functions are nested entries with
 * address ranges. At each address, the innermost one counts.
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
	uint32_t depth, node; /* until resolve_lists, `node` is an index in `lists` */
};

/* A list of ranges, and the innermost entry of the function that refers to this list. */
struct function_list {
	uint64_t key; /* offset of the list in the file; 0 if the list cannot be shared */
	uint32_t depth, node;
};

/* A list of ranges that has been searched for the wanted addresses. */
struct unit_list {
	uint64_t key;
};

struct function_tree {
	struct die_names *names;
	struct inline_table *table;
	const struct unit_entries *unit; /* unit of the functions that are added */
	Dwarf_Files *files;              /* files of the unit; NULL if not needed or missing */
	struct reading_budget *budget;
	uint64_t base; /* base address of range lists in split units; libdw does not add it */
	struct die_walk walk;
	uint32_t nodes[LIMIT_DWARF_DEPTH]; /* the function at each depth of the walk */
	struct idtable list_table;         /* index of lists */
	VEC(struct function_list) lists;   /* lists of the current function */
	struct idtable unit_list_table;    /* index of unit_lists */
	VEC(struct unit_list) unit_lists;
	VEC(struct function_part) parts;
	VEC(struct function_part) open;
};

/* The arguments are borrowed. */
void function_tree_init(struct function_tree *tree, struct die_names *names,
			struct inline_table *table, struct reading_budget *budget);
void function_tree_deinit(struct function_tree *tree);

/* Must be called before adding the functions of a unit for a list of addresses. */
void function_tree_begin(struct function_tree *tree);

/*
 * Whether a function has code at one of the addresses, which are ascending. If several functions
 * share a list of ranges, returns true only for the first of them.
 */
bool function_tree_has_any(struct function_tree *tree, Dwarf_Die *die, const uint64_t *addresses,
			   size_t count);

/* Adds a function (DW_TAG_subprogram) and everything inlined into it. */
void function_tree_add(struct function_tree *tree, Dwarf_Die *function);

#endif
