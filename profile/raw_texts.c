/* SPDX-License-Identifier: MIT */
#include "profile/raw_texts.h"

#include "base/hash.h"

void raw_texts_init(struct raw_texts *texts)
{
	*texts = (struct raw_texts){ 0 };
	arena_init(&texts->arena);
	idtable_init(&texts->table);
}

void raw_texts_deinit(struct raw_texts *texts)
{
	arena_deinit(&texts->arena);
	idtable_deinit(&texts->table);
	vec_free(&texts->rows);
}

uint64_t raw_texts_number(struct text text)
{
	/* The markers of chains have the highest bit. */
	return hash_bytes(text.at, text.length, 0) >> 1;
}

uint32_t raw_texts_find(const struct raw_texts *texts, uint64_t number)
{
	struct idtable_probe probe = idtable_find(&texts->table, number);
	uint32_t row;

	while ((row = idtable_next(&texts->table, &probe)) != IDTABLE_NONE)
		if (texts->rows.at[row].number == number)
			return row;
	return RAW_TEXT_NONE;
}

uint32_t raw_texts_intern(struct raw_texts *texts, struct text text, uint64_t number)
{
	uint32_t row = raw_texts_find(texts, number);
	char *copy;

	if (LIKELY(row != RAW_TEXT_NONE)) {
		if (UNLIKELY(!text_equal(texts->rows.at[row].text, text)))
			texts->is_ambiguous = true;
		return row;
	}
	copy = arena_alloc(&texts->arena, text.length, 1);
	if (text.length)
		memcpy(copy, text.at, text.length);
	row = (uint32_t)texts->rows.count;
	idtable_add(&texts->table, number, row);
	vec_push(&texts->rows, (struct raw_text){ number, { copy, text.length } });
	return row;
}
