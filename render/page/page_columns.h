/* SPDX-License-Identifier: MIT */
/*
 * Columns of numbers and texts in one stream of bytes, and their description for the viewer:
 *
 *     page_columns_begin("row.frame")  add 5  add 300  end        05 ac 02
 *     page_columns_begin("names")      add "main"  end            'm' 'a' 'i' 'n' 0
 *
 *     "columns":[{"name":"row.frame","type":"uint","count":2,"offset":0,"size":3},{"name":"names",...}]
 */
#ifndef RENDER_PAGE_PAGE_COLUMNS_H
#define RENDER_PAGE_PAGE_COLUMNS_H

#include "base/sink.h"
#include "base/vec.h"
#include "render/json.h"

struct page_column {
	const char *name;
	bool is_text;
	uint64_t scale; /* a factor for the values; at least 1 */
	uint64_t count, offset, size_bytes;
};

struct page_columns {
	struct sink bytes;
	VEC(struct page_column) list;
};

void page_columns_init(struct page_columns *columns);
void page_columns_deinit(struct page_columns *columns);

/* name is borrowed. */
void page_columns_begin(struct page_columns *columns, const char *name, bool is_text);

/* Begins a column of numbers that the viewer multiplies by scale. */
void page_columns_begin_scaled(struct page_columns *columns, const char *name, uint64_t scale);
void page_columns_end(struct page_columns *columns);

void page_columns_number(struct page_columns *columns, uint64_t value);

/* Adds a text. Texts end with NUL, so a NUL in a text is replaced with a question mark. */
void page_columns_text(struct page_columns *columns, struct text text);

/* Adds a path, in which the home directory is shortened to ~ unless it is to be shown. */
void page_columns_path(struct page_columns *columns, struct text path, bool shows_homes);

/* "columns" in JSON. */
void page_columns_json(const struct page_columns *columns, struct json *json);

#endif
