/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/scope_name.h"

#include <dwarf.h>

#include "base/limits.h"

/* Functions inside functions whose own scopes are looked up. */
#define LEVELS_MAX 4

static void write_scopes(Dwarf_Die *function, unsigned level, struct sink *sink);

/* Languages in which functions lie in files and nothing else. */
static bool has_scopes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
	case DW_LANG_Go: /* names are whole */
		return false;
	default:
		return true;
	}
}

/* What stands for a scope that has no name; NULL: it takes no part, or its name is missing. */
static const char *name_of_unnamed(Dwarf_Die *scope)
{
	if (dwarf_hasattr(scope, DW_AT_name))
		return NULL;
	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		return "(anonymous namespace)";
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		/* They are lambdas, or as good as. */
		return "{lambda}";
	default:
		return NULL;
	}
}

static void write_part(Dwarf_Die *scope, unsigned level, struct sink *sink)
{
	const char *name = dwarf_diename(scope);

	switch (dwarf_tag(scope)) {
	case DW_TAG_subprogram:
		/* What a function lies in is where it was declared. */
		write_scopes(scope, level + 1, sink);
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
	sink_puts(sink, name);
	sink_puts(sink, "::");
}

/* Of the entries inside scope, the last that begins at or before an offset. */
static bool find_inside(Dwarf_Die *scope, Dwarf_Off offset, Dwarf_Die *ret)
{
	Dwarf_Off last = dwarf_dieoffset(scope);
	bool found = false;
	Dwarf_Die die;
	int result;

	for (result = dwarf_child(scope, &die); result == 0; result = dwarf_siblingof(&die, &die)) {
		Dwarf_Off here = dwarf_dieoffset(&die);

		if (here > offset || here <= last)
			break;
		last = here;
		*ret = die;
		found = true;
	}
	return found;
}

/* The declaration of a function that is described elsewhere; false: it is described here. */
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

/* level: how many functions this is inside. Those have scopes of their own only when they were declared
 * elsewhere; else they are in the path already. */
static void write_scopes(Dwarf_Die *function, unsigned level, struct sink *sink)
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

		if (!find_inside(&scope, offset, &inner) || dwarf_dieoffset(&inner) == offset)
			return;
		scope = inner;
		write_part(&scope, level, sink);
	}
}

void scope_name_write(Dwarf_Die *function, struct sink *sink)
{
	write_scopes(function, 0, sink);
}

#endif
