/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include "base/hash.h"

void strings_init(struct strings *strings)
{
	*strings = (struct strings){ 0 };
	arena_init(&strings->arena);
	idtable_init(&strings->table);
	strings_intern(strings, "", 0);
}

void strings_deinit(struct strings *strings)
{
	arena_deinit(&strings->arena);
	idtable_deinit(&strings->table);
	vec_free(&strings->rows);
}

static uint32_t find(const struct strings *strings, struct text text, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&strings->table, hash);
	uint32_t id;

	while ((id = idtable_next(&strings->table, &probe)) != IDTABLE_NONE)
		if (text_equal(strings->rows.at[id], text))
			break;
	return id;
}

str_id strings_find(const struct strings *strings, struct text text)
{
	uint32_t id = find(strings, text, hash_bytes(text.at, text.length, 0));

	return id == IDTABLE_NONE ? STR_EMPTY : (str_id){ id };
}

str_id strings_intern(struct strings *strings, const char *bytes, size_t length)
{
	struct text text = { .at = bytes, .length = (uint32_t)length };
	uint64_t hash = hash_bytes(bytes, length, 0);
	uint32_t id = find(strings, text, hash);

	if (id != IDTABLE_NONE)
		return (str_id){ id };
	id = (uint32_t)strings->rows.count;
	text.at = arena_text(&strings->arena, bytes, length);
	vec_push(&strings->rows, text);
	idtable_add(&strings->table, hash, id);
	return (str_id){ id };
}

str_id strings_intern_text(struct strings *strings, const char *text)
{
	return strings_intern(strings, text, strlen(text));
}

int text_compare(struct text a, struct text b)
{
	uint32_t shorter = a.length < b.length ? a.length : b.length;
	int order = memcmp(a.at, b.at, shorter);

	return order ? order : (a.length > b.length) - (a.length < b.length);
}
