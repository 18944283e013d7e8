/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/scope_name.h"

#include <dwarf.h>

#include "dwarf/function_tree.h"

/* How many levels of nested functions are looked up. */
#define LEVELS_MAX 4
/* How many bytes of entries libdw skips in the time of one step. */
#define STEP_BYTES 16

/* Where scopes are written, and the budget for finding them. */
struct scope_writer {
	struct sink *sink;
	struct reading_budget *budget;
};

static void write_scopes(Dwarf_Die *function, unsigned level, const struct scope_writer *writer);

/* Whether the language has scopes. */
static bool has_scopes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
	case DW_LANG_Go: /* names are qualified already */
		return false;
	default:
		return true;
	}
}

/* The text for a scope without a name. NULL if it is omitted. */
static const char *name_of_unnamed(Dwarf_Die *scope)
{
	if (dwarf_hasattr(scope, DW_AT_name))
		return NULL;
	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		return "(anonymous namespace)";
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		/* The scope is a closure or similar. */
		return "{lambda}";
	default:
		return NULL;
	}
}

static void write_part(Dwarf_Die *scope, unsigned level, const struct scope_writer *writer)
{
	const char *name = dwarf_diename(scope);

	switch (dwarf_tag(scope)) {
	case DW_TAG_subprogram:
		/* The scopes of a function are those of its declaration. */
		write_scopes(scope, level + 1, writer);
		break;
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_module:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
		break;
	default:
		return;
	}
	if (!name)
		name = name_of_unnamed(scope);
	if (!name)
		return;
	sink_puts(writer->sink, name);
	sink_puts(writer->sink, "::");
}

/*
 * Finds the last child of scope that begins at or before an offset. libdw reads all entries up to
 * it.
 */
static bool find_inside(Dwarf_Die *scope, Dwarf_Off offset, struct reading_budget *budget,
			Dwarf_Die *ret)
{
	Dwarf_Off last = dwarf_dieoffset(scope);
	bool found = false;
	Dwarf_Die die;
	int result;

	for (result = dwarf_child(scope, &die); result == 0; result = dwarf_siblingof(&die, &die)) {
		Dwarf_Off here = dwarf_dieoffset(&die);

		if (here > offset || here <= last ||
		    !reading_budget_spend(budget, 1 + (here - last) / STEP_BYTES))
			break;
		last = here;
		*ret = die;
		found = true;
	}
	return found;
}

/* The declaration of a function, if it is in another entry. */
static bool find_declaration(Dwarf_Die *function, Dwarf_Die *ret)
{
	static const unsigned links[] = { DW_AT_abstract_origin, DW_AT_specification };
	bool found = false;

	*ret = *function;
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;

		if (dwarf_attr(ret, links[i], &attribute) && dwarf_formref_die(&attribute, &next)) {
			*ret = next;
			found = true;
		}
	}
	return found;
}

/*
 * level: the number of enclosing functions. An enclosing function's scopes are added only if it is
 * declared elsewhere. Otherwise they are already in the path.
 */
static void write_scopes(Dwarf_Die *function, unsigned level, const struct scope_writer *writer)
{
	Dwarf_Die declaration;
	Dwarf_Die scope;
	Dwarf_Off offset;

	if ((!find_declaration(function, &declaration) && level > 0) || level > LEVELS_MAX)
		return;
	offset = dwarf_dieoffset(&declaration);
	if (!dwarf_diecu(&declaration, &scope, NULL, NULL) || !has_scopes(&scope))
		return;
	for (unsigned depth = 0; depth < LIMIT_DWARF_DEPTH; depth++) {
		Dwarf_Die inner;

		if (!find_inside(&scope, offset, writer->budget, &inner) ||
		    dwarf_dieoffset(&inner) == offset)
			return;
		scope = inner;
		write_part(&scope, level, writer);
	}
}

void scope_name_write(Dwarf_Die *function, struct sink *sink, struct reading_budget *budget)
{
	struct scope_writer writer = { sink, budget };

	write_scopes(function, 0, &writer);
}

#endif
