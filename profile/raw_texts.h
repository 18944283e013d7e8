/* SPDX-License-Identifier: MIT */
/*
 * Interns texts. The id of a text is a hash of its bytes, so all workers give a text the same id:
 *
 *     "\t 1149 parse+0x9 (app)"  ─ hash ─▶  0x2f61...  the same in every worker's table, row 0 or 7
 *
 * A lookup in a large table causes several cache misses. Most hashes are therefore found among the
 * recent hashes, which fit into the CPU's caches. The texts of others are looked up later, in
 * batches:
 *
 *     text ─▶ hash ─▶ recent hashes
 *                      └ if new: pending texts ─▶ table, rows
 *
 * Callchains of text captures consist of ids instead of addresses. Two texts with the same id are
 * practically impossible. kiln nevertheless compares each text that it looks up with the text in
 * the table: if they differ, is_ambiguous is set, and the capture is rejected.
 */
#ifndef PROFILE_RAW_TEXTS_H
#define PROFILE_RAW_TEXTS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"

#define RAW_TEXT_NONE UINT32_MAX

/* More lookups than a CPU can have cache misses in flight. */
#define RAW_TEXTS_PENDING_COUNT 64

struct raw_text {
	uint64_t number; /* below CALLCHAIN_MARKER_FIRST */
	struct text text;
};

/* A text that raw_texts_flush will intern. */
struct raw_text_pending {
	uint64_t number;
	size_t first; /* index of its first byte in pending_bytes */
	uint32_t length;
};

struct raw_texts {
	struct arena arena;
	struct idtable table;
	VEC(struct raw_text) rows; /* in order of first appearance */
	bool is_ambiguous;
	/* Hashes of texts that were interned or are pending; NULL until raw_texts_intern_all. */
	uint64_t *recent;
	struct raw_text_pending pending[RAW_TEXTS_PENDING_COUNT];
	size_t pending_count;
	VEC(char) pending_bytes;
};

void raw_texts_init(struct raw_texts *texts);
void raw_texts_deinit(struct raw_texts *texts);

/* Returns the id of a text. Ids differ between runs of kiln. */
uint64_t raw_texts_number(struct text text);

/* Returns the row of a text with this id; adds a copy if the text is new. */
uint32_t raw_texts_intern(struct raw_texts *texts, struct text text, uint64_t number);

/* Stores the ids of texts, and interns the texts, at once or in a later call. */
void raw_texts_intern_all(struct raw_texts *texts, const struct text *all, uint32_t count,
			  uint64_t *numbers);

/* Interns all pending texts. */
void raw_texts_flush(struct raw_texts *texts);

/* Interns texts and sets their rows. The cache misses of many lookups overlap. */
void raw_texts_intern_rows(struct raw_texts *texts, const struct text *all, uint32_t count,
			   uint32_t *rows);

/* Adds the rows of `from`, starting at row `first`, after interning its pending texts. */
void raw_texts_merge(struct raw_texts *texts, struct raw_texts *from, size_t first);

/* Frees the bytes of all texts. Rows can still be found by id, but nothing can be added. */
void raw_texts_forget(struct raw_texts *texts);

/* Prefetches the memory that raw_texts_find reads first. */
static inline void raw_texts_prefetch(const struct raw_texts *texts, uint64_t number)
{
	idtable_prefetch(&texts->table, number);
}

/* Returns the row with this id, or RAW_TEXT_NONE. */
uint32_t raw_texts_find(const struct raw_texts *texts, uint64_t number);

#endif
