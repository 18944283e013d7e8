/* SPDX-License-Identifier: MIT */
#include "profile/raw_texts.h"

#include "base/hash.h"

/* A power of two. 4 or 16 times as many saved no time. */
#define RECENT_COUNT ((size_t)8 << 10)

/* Pending texts have at most this size in total. Longer texts are interned at once. */
#define PENDING_BYTES_MAX ((size_t)64 << 10)

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
	memory_free(texts->recent);
	vec_free(&texts->pending_bytes);
}

static uint64_t hash_of(struct text text)
{
	return hash_bytes(text.at, text.length, 0);
}

static uint64_t number_of(uint64_t hash)
{
	/* The highest bit stays 0, because callchain markers have it set. */
	return hash >> 1;
}

uint64_t raw_texts_number(struct text text)
{
	return number_of(hash_of(text));
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

/* The number of texts whose cache misses overlap: more than a CPU can have in flight. Most stacks
 * have fewer frames. */
#define BATCH_COUNT 32

/* Returns the row that matches the stored half of the id; it is nearly always the right row. */
static uint32_t guess_row(const struct raw_texts *texts, uint64_t number)
{
	struct idtable_probe probe = idtable_find(&texts->table, number);
	uint32_t row = idtable_next(&texts->table, &probe);

	if (row != IDTABLE_NONE)
		__builtin_prefetch(&texts->rows.at[row]);
	return row;
}

static void prefetch_text(const struct raw_texts *texts, uint32_t row)
{
	struct text text;

	if (row == IDTABLE_NONE)
		return;
	/* A text is often in two cache lines. */
	text = texts->rows.at[row].text;
	__builtin_prefetch(text.at);
	__builtin_prefetch(text.at + text.length);
}

static bool is_row(const struct raw_texts *texts, uint32_t row, struct text text, uint64_t number)
{
	return row != IDTABLE_NONE && texts->rows.at[row].number == number &&
	       text_equal(texts->rows.at[row].text, text);
}

/* Each round prefetches one step for the whole batch: the slot, the row, the text. */
static void intern_batch(struct raw_texts *texts, const struct text *all, uint32_t count,
			 uint64_t *numbers, uint32_t *rows)
{
	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = raw_texts_number(all[i]);
		raw_texts_prefetch(texts, numbers[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		rows[i] = guess_row(texts, numbers[i]);
	for (uint32_t i = 0; i < count; i++)
		prefetch_text(texts, rows[i]);
	for (uint32_t i = 0; i < count; i++)
		if (UNLIKELY(!is_row(texts, rows[i], all[i], numbers[i])))
			rows[i] = raw_texts_intern(texts, all[i], numbers[i]);
}

void raw_texts_intern_rows(struct raw_texts *texts, const struct text *all, uint32_t count,
			   uint32_t *rows)
{
	uint64_t numbers[BATCH_COUNT];

	/* Rows are in order of first appearance. */
	raw_texts_flush(texts);
	for (uint32_t i = 0; i < count; i += BATCH_COUNT)
		intern_batch(texts, all + i, count - i < BATCH_COUNT ? count - i : BATCH_COUNT,
			     numbers, rows + i);
}

/* Prefetches like intern_batch. */
void raw_texts_flush(struct raw_texts *texts)
{
	uint32_t rows[RAW_TEXTS_PENDING_COUNT];

	for (size_t i = 0; i < texts->pending_count; i++)
		rows[i] = guess_row(texts, texts->pending[i].number);
	for (size_t i = 0; i < texts->pending_count; i++)
		prefetch_text(texts, rows[i]);
	for (size_t i = 0; i < texts->pending_count; i++) {
		const struct raw_text_pending *pending = &texts->pending[i];
		struct text text = { texts->pending_bytes.at + pending->first, pending->length };

		if (UNLIKELY(!is_row(texts, rows[i], text, pending->number)))
			raw_texts_intern(texts, text, pending->number);
	}
	texts->pending_count = 0;
	texts->pending_bytes.count = 0;
}

static void add_pending(struct raw_texts *texts, struct text text, uint64_t number)
{
	size_t first;

	if (texts->pending_bytes.count + text.length > PENDING_BYTES_MAX)
		raw_texts_flush(texts);
	if (text.length > PENDING_BYTES_MAX) {
		raw_texts_intern(texts, text, number);
		return;
	}
	raw_texts_prefetch(texts, number);
	first = texts->pending_bytes.count;
	vec_reserve(&texts->pending_bytes, first + text.length);
	if (text.length)
		memcpy(texts->pending_bytes.at + first, text.at, text.length);
	texts->pending_bytes.count += text.length;
	texts->pending[texts->pending_count++] =
		(struct raw_text_pending){ number, first, text.length };
	if (texts->pending_count == RAW_TEXTS_PENDING_COUNT)
		raw_texts_flush(texts);
}

void raw_texts_intern_all(struct raw_texts *texts, const struct text *all, uint32_t count,
			  uint64_t *numbers)
{
	if (!texts->recent)
		texts->recent = memory_zalloc(RECENT_COUNT, sizeof(*texts->recent));
	for (uint32_t i = 0; i < count; i++) {
		uint64_t hash = hash_of(all[i]);
		uint64_t *recent = &texts->recent[hash % RECENT_COUNT];

		numbers[i] = number_of(hash);
		if (LIKELY(*recent == hash))
			continue;
		*recent = hash;
		add_pending(texts, all[i], numbers[i]);
	}
}

void raw_texts_forget(struct raw_texts *texts)
{
	for (size_t i = 0; i < texts->rows.count; i++)
		texts->rows.at[i].text = (struct text){ "", 0 };
	arena_deinit(&texts->arena);
}

void raw_texts_merge(struct raw_texts *texts, struct raw_texts *from, size_t first)
{
	const struct raw_text *rows;
	size_t count;

	raw_texts_flush(from);
	rows = from->rows.at;
	count = from->rows.count;
	for (size_t i = first; i < count; i++) {
		if (i + BATCH_COUNT < count)
			raw_texts_prefetch(texts, rows[i + BATCH_COUNT].number);
		raw_texts_intern(texts, rows[i].text, rows[i].number);
	}
	texts->is_ambiguous |= from->is_ambiguous;
}
