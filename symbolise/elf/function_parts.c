/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/symbol_table.h"

#include "base/hash.h"
#include "base/idtable.h"
#include "symbolise/demangle/display_name.h"

struct stem {
	struct text name;
	bool is_function;
};

/* The functions after which split-off parts are named, without duplicates. */
struct stems {
	VEC(struct stem) rows;
	struct idtable table;
};

static bool looks_like_part(struct text name, struct text *stem_ret)
{
	*stem_ret = (struct text){ name.at, display_name_before_word(name) };
	return stem_ret->length < name.length;
}

static struct stem *find(const struct stems *stems, struct text name, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&stems->table, hash);
	uint32_t id;

	while ((id = idtable_next(&stems->table, &probe)) != IDTABLE_NONE)
		if (text_equal(stems->rows.at[id].name, name))
			return &stems->rows.at[id];
	return NULL;
}

static void collect(struct stems *stems, const struct symbol_table *table)
{
	for (size_t i = 0; i < table->symbols.count; i++) {
		struct text stem;
		uint64_t hash;

		if (!looks_like_part(table->symbols.at[i].name, &stem))
			continue;
		hash = hash_bytes(stem.at, stem.length, 0);
		if (find(stems, stem, hash))
			continue;
		idtable_add(&stems->table, hash, (uint32_t)stems->rows.count);
		vec_push(&stems->rows, (struct stem){ .name = stem });
	}
}

static void find_functions(struct stems *stems, const struct symbol_table *table)
{
	for (size_t i = 0; i < table->symbols.count; i++) {
		struct text name = table->symbols.at[i].name;
		struct stem *stem;

		if (!name.length)
			continue;
		name = display_name_without_version(name);
		stem = find(stems, name, hash_bytes(name.at, name.length, 0));
		if (stem)
			stem->is_function = true;
	}
}

void function_parts_mark(struct symbol_table *table)
{
	struct stems stems = { .rows = { .at = NULL } };

	idtable_init(&stems.table);
	collect(&stems, table);
	if (stems.rows.count)
		find_functions(&stems, table);
	for (size_t i = 0; i < table->symbols.count && stems.rows.count; i++) {
		struct symbol *symbol = &table->symbols.at[i];
		struct text stem;

		if (looks_like_part(symbol->name, &stem))
			symbol->is_whole = !find(&stems, stem, hash_bytes(stem.at, stem.length, 0))
						    ->is_function;
	}
	idtable_deinit(&stems.table);
	vec_free(&stems.rows);
}
