/* SPDX-License-Identifier: MIT */
/*
 * Texts by a number that is made of their bytes, so that workers who never met agree on it:
 *
 *     "\t 1149 parse+0x9 (app)"  ─ hash ─▶  0x2f61...  the same in every worker's table, row 0 or 7
 *
 * It stands in chains where other captures have an address. That two texts get the same number is as
 * good as impossible, and is noticed: the table is then ambiguous, and nothing may be made of it.
 */
#ifndef PROFILE_RAW_TEXTS_H
#define PROFILE_RAW_TEXTS_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"

#define RAW_TEXT_NONE UINT32_MAX

struct raw_text {
	uint64_t number; /* below CALLCHAIN_MARKER_FIRST */
	struct text text;
};

struct raw_texts {
	struct arena arena;
	struct idtable table;
	VEC(struct raw_text) rows; /* in the order of first mention */
	bool is_ambiguous;
};

void raw_texts_init(struct raw_texts *texts);
void raw_texts_deinit(struct raw_texts *texts);

/* The number of a text. It differs from run to run. */
uint64_t raw_texts_number(struct text text);

/* The row of a text with that number, added with a copy of its bytes when new. */
uint32_t raw_texts_intern(struct raw_texts *texts, struct text text, uint64_t number);

/* Interns texts, and puts their numbers into numbers: many at once, so that what memory has of one is fetched
 * while others are looked up. */
void raw_texts_intern_all(struct raw_texts *texts, const struct text *all, uint32_t count,
			  uint64_t *numbers);

/* The same for who wants the rows. */
void raw_texts_intern_rows(struct raw_texts *texts, const struct text *all, uint32_t count,
			   uint32_t *rows);

/* Adds what other texts have from row first on. */
void raw_texts_merge(struct raw_texts *texts, const struct raw_texts *from, size_t first);

/* Frees the bytes of all texts. From then on rows are found by their numbers, and nothing can be added. */
void raw_texts_forget(struct raw_texts *texts);

/* Has memory fetch what raw_texts_find will look at first. */
static inline void raw_texts_prefetch(const struct raw_texts *texts, uint64_t number)
{
	idtable_prefetch(&texts->table, number);
}

/* The row with a number, or RAW_TEXT_NONE. */
uint32_t raw_texts_find(const struct raw_texts *texts, uint64_t number);

#endif
