/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/die_name.h"

#include <dwarf.h>

#include "base/hash.h"
#include "base/strings.h"
#include "dwarf/scope_name.h"

/* The limit that dwarf_attr_integrate() has. */
#define ORIGINS_MAX 16

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

uint32_t die_names_text(struct die_names *names, const char *text)
{
	struct inline_table *table = names->table;
	size_t length = text ? strnlen(text, LIMIT_SYMBOL_BYTES) : 0;
	str_id id = strings_intern(&names->texts, length ? text : "", length);

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
	scope_name_write(die, scratch, names->budget);
	scope_bytes = scratch->used;
	if (scope_bytes > LIMIT_SYMBOL_BYTES / 2)
		scope_bytes = scratch->used = 0;
	sink_bytes(scratch, name, strnlen(name, LIMIT_SYMBOL_BYTES / 2));
	sink_char(scratch, '\0');
	row->name = die_names_text(names, sink_memory(scratch).at);
	row->bare_name = row->name + (uint32_t)scope_bytes;
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
	file = dwarf_decl_file(die);
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
