/* SPDX-License-Identifier: MIT */
#include "profile/raw_texts.h"

#include "base/hash.h"

/* A power of two. More recent texts would not fit into the L2 cache of most CPUs. */
#define RECENT_COUNT ((size_t)8 << 10)

/* Pending texts have at most this size in total. Longer texts are interned at once. */
#define PENDING_BYTES_MAX ((size_t)64 << 10)

/* The compiler translates operations on this type to those of the CPU's vectors. */
typedef uint64_t words __attribute__((vector_size(16)));

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

uint64_t raw_texts_number(struct text text)
{
	/* The highest bit stays 0, because callchain markers have it set. */
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

static bool can_be_recent(struct text text)
{
	return LIKELY(text.length >= sizeof(words) && text.length <= RAW_TEXT_RECENT_BYTES);
}

static uint64_t word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * The place of a text among the recent texts, which depends on 16 of its bytes. A collision only
 * costs a lookup. In perf script, bytes 9 to 16 of a frame are the last digits of its address.
 */
static struct raw_text_recent *recent_place(const struct raw_texts *texts, struct text text)
{
	const char *digits = text.at + (text.length < 24 ? 0 : 9);
	const char *middle = text.at + (text.length - sizeof(uint64_t)) / 2;
	uint64_t hash = word_at(digits) * 0x9e3779b97f4a7c15ull;

	hash = (hash ^ hash >> 29 ^ word_at(middle)) * 0xd6e8feb86659fd93ull;
	return &texts->recent[hash >> 40 & (RECENT_COUNT - 1)];
}

/* Sets the bits of *found in which the vectors at a and b differ. */
static void compare(words *found, const char *a, const char *b)
{
	words left;
	words right;

	memcpy(&left, a, sizeof(left));
	memcpy(&right, b, sizeof(right));
	*found |= left ^ right;
}

/*
 * Compares texts that can be recent, in parts that overlap. Has few branches, because the lengths
 * of frames are hard to predict.
 */
static bool are_equal(const char *a, const char *b, size_t length)
{
	const char *a_last = a + length - sizeof(words);
	const char *b_last = b + length - sizeof(words);
	words found = { 0 };

	compare(&found, a, b);
	compare(&found, a_last, b_last);
	if (length > 32) {
		compare(&found, a + 16, b + 16);
		compare(&found, a_last - 16, b_last - 16);
	}
	if (UNLIKELY(length > 64)) {
		compare(&found, a + 32, b + 32);
		compare(&found, a + 48, b + 48);
		compare(&found, a_last - 32, b_last - 32);
		compare(&found, a_last - 48, b_last - 48);
	}
	return !(found[0] | found[1]);
}

/* Returns the id of a text that can be recent. */
static uint64_t find_recent(struct raw_texts *texts, struct text text)
{
	struct raw_text_recent *recent = recent_place(texts, text);

	if (LIKELY(recent->length == text.length && are_equal(recent->bytes, text.at, text.length)))
		return recent->number;
	recent->number = raw_texts_number(text);
	recent->length = text.length;
	memcpy(recent->bytes, text.at, text.length);
	add_pending(texts, text, recent->number);
	return recent->number;
}

void raw_texts_intern_all(struct raw_texts *texts, const struct text *all, uint32_t count,
			  uint64_t *numbers)
{
	if (!texts->recent)
		texts->recent = memory_zalloc(RECENT_COUNT, sizeof(*texts->recent));
	for (uint32_t i = 0; i < count; i++)
		if (can_be_recent(all[i]))
			__builtin_prefetch(recent_place(texts, all[i]));
	for (uint32_t i = 0; i < count; i++) {
		if (can_be_recent(all[i])) {
			numbers[i] = find_recent(texts, all[i]);
			continue;
		}
		numbers[i] = raw_texts_number(all[i]);
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
