/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/die_name.h"

#include <dwarf.h>

#include "base/hash.h"
#include "base/strings.h"
#include "dwarf/function_tree.h"

/* dwarf_attr_integrate() has the same limit. */
#define ORIGINS_MAX 16
/* The number of levels of nested functions that are looked up. */
#define LEVELS_MAX 4
/* The number of bytes of entries that libdw skips in the time of one step. */
#define STEP_BYTES 16

/* The sink for scopes, and the budget for finding them. */
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
	case DW_LANG_Go: /* names are already qualified */
		return false;
	default:
		return true;
	}
}

/* The text for a scope without a name, or NULL if the scope is omitted. */
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
		/* The scopes of a function are the scopes of its declaration. */
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
 * this child.
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

/* The declaration of a function, if it is in a different entry. */
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
 * level: the number of enclosing functions. The scopes of an enclosing function are added only if
 * this function is declared in another place. Otherwise, the path already contains these scopes.
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

/* Writes the scopes of a function, each followed by "::". */
static void write_scopes_of(Dwarf_Die *function, struct sink *sink, struct reading_budget *budget)
{
	struct scope_writer writer = { sink, budget };

	write_scopes(function, 0, &writer);
}

void die_names_init(struct die_names *names, struct inline_table *table,
		    struct reading_budget *budget)
{
	*names = (struct die_names){ .table = table, .budget = budget };
	idtable_init(&names->ids);
	strings_init(&names->texts);
	sink_init_memory(&names->scratch);
	vec_push(&names->offsets, 0);
}

void die_names_deinit(struct die_names *names)
{
	vec_free(&names->rows);
	idtable_deinit(&names->ids);
	strings_deinit(&names->texts);
	sink_deinit(&names->scratch);
	vec_free(&names->offsets);
}

void die_names_forget(struct die_names *names)
{
	names->rows.count = 0;
	idtable_deinit(&names->ids);
	idtable_init(&names->ids);
}

uint32_t die_names_text(struct die_names *names, const char *text)
{
	struct inline_table *table = names->table;
	size_t length = text ? strnlen(text, LIMIT_SYMBOL_BYTES) : 0;
	str_id id = strings_intern(&names->texts, length ? text : "", length);

	/* If the length exceeds the budget, the table is emptied later. */
	(void)reading_budget_spend(names->budget, length / DWARF_NAME_BYTES_PER_STEP);
	if (id.i == names->offsets.count) {
		vec_push(&names->offsets, (uint32_t)table->text.count);
		vec_reserve(&table->text, table->text.count + length + 1);
		memcpy(table->text.at + table->text.count, text, length);
		table->text.count += length;
		table->text.at[table->text.count++] = '\0';
	}
	return names->offsets.at[id.i];
}

/* Finds the entry that describes the function. */
static void follow_origins(Dwarf_Die *die)
{
	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;

		if (!dwarf_attr(die, DW_AT_abstract_origin, &attribute) ||
		    !dwarf_formref_die(&attribute, &next))
			return;
		*die = next;
	}
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name;

	name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
	if (!name)
		name = dwarf_formstring(
			dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
	return name;
}

/* The name in the source, with its scopes. */
static void read_source_name(struct die_names *names, Dwarf_Die *die, struct die_name *row)
{
	const char *name = dwarf_diename(die);
	struct sink *scratch = &names->scratch;
	size_t scope_bytes;

	if (!name)
		return;
	scratch->used = 0;
	write_scopes_of(die, scratch, names->budget);
	scope_bytes = scratch->used;
	if (scope_bytes > LIMIT_SYMBOL_BYTES / 2)
		scope_bytes = scratch->used = 0;
	sink_bytes(scratch, name, strnlen(name, LIMIT_SYMBOL_BYTES / 2));
	sink_char(scratch, '\0');
	row->name = die_names_text(names, sink_memory(scratch).at);
	row->bare_name = row->name + (uint32_t)scope_bytes;
}

/* The file that declares a function. libdw knows the list of a split unit's files only by guess. */
static const char *declared_file(const struct die_names *names, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word index;

	if (!names->split_files)
		return dwarf_decl_file(die);
	/* A type unit has a list of its own. */
	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) || attribute.cu != die->cu ||
	    dwarf_formudata(&attribute, &index) != 0)
		return NULL;
	return dwarf_filesrc(names->split_files, index, NULL, NULL);
}

static struct die_name make(struct die_names *names, Dwarf_Die *die)
{
	struct die_name row = { .key = die->addr };
	const char *linked = linkage_name(die);
	const char *file;
	int line = 0;

	row.name = row.bare_name = die_names_text(names, linked);
	if (!linked)
		read_source_name(names, die, &row);

	if (!names->table->has_lines)
		return row;
	file = declared_file(names, die);
	if (file && dwarf_decl_line(die, &line) == 0 && line > 0) {
		row.file = die_names_text(names, file);
		row.line = (uint32_t)line;
	}
	return row;
}

struct die_name die_names_of(struct die_names *names, Dwarf_Die *die)
{
	Dwarf_Die origin = *die;
	struct idtable_probe probe;
	uint64_t hash;
	uint32_t id;

	follow_origins(&origin);
	hash = hash_u64((uint64_t)(uintptr_t)origin.addr);
	probe = idtable_find(&names->ids, hash);
	while ((id = idtable_next(&names->ids, &probe)) != IDTABLE_NONE)
		if (names->rows.at[id].key == origin.addr)
			return names->rows.at[id];
	idtable_add(&names->ids, hash, (uint32_t)names->rows.count);
	vec_push(&names->rows, make(names, &origin));
	return names->rows.at[names->rows.count - 1];
}

#endif
