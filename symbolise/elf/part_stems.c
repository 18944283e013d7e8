/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/part_stems.h"

#include "base/hash.h"
#include "symbolise/demangle/display_name.h"

void part_stems_init(struct part_stems *stems)
{
	*stems = (struct part_stems){ .rows = { .at = NULL } };
	idtable_init(&stems->table);
}

void part_stems_deinit(struct part_stems *stems)
{
	vec_free(&stems->rows);
	idtable_deinit(&stems->table);
}

static uint64_t hash_of(struct text name)
{
	return hash_bytes(name.at, name.length, 0);
}

static bool looks_like_part(struct text name, struct text *stem_ret)
{
	*stem_ret = (struct text){ name.at, display_name_before_word(name) };
	return stem_ret->length < name.length;
}

static struct part_stem *find(const struct part_stems *stems, struct text name, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&stems->table, hash);
	uint32_t id;

	while ((id = idtable_next(&stems->table, &probe)) != IDTABLE_NONE)
		if (text_equal(stems->rows.at[id].name, name))
			return &stems->rows.at[id];
	return NULL;
}

void part_stems_add(struct part_stems *stems, struct text name)
{
	struct text stem;
	uint64_t hash;

	if (!looks_like_part(name, &stem))
		return;
	hash = hash_of(stem);
	if (find(stems, stem, hash))
		return;
	idtable_add(&stems->table, hash, (uint32_t)stems->rows.count);
	vec_push(&stems->rows, (struct part_stem){ .name = stem });
}

struct part_stem *part_stems_of_part(const struct part_stems *stems, struct text name)
{
	struct text stem;

	return looks_like_part(name, &stem) ? find(stems, stem, hash_of(stem)) : NULL;
}

struct part_stem *part_stems_find(const struct part_stems *stems, struct text function)
{
	/* memchr does not accept NULL, which an empty name may point to. */
	if (!function.length || !stems->rows.count)
		return NULL;
	function = display_name_without_version(function);
	return find(stems, function, hash_of(function));
}
