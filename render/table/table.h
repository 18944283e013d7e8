/* SPDX-License-Identifier: MIT */
/*
 * A table of results, which can be written in each format that commands offer. A command adds
 * columns, then rows of cells. All formats are written from the same values:
 *
 *     facts, columns, cells, notes ─▶ text       12.34%  1.23 s  parse
 *                                  ─▶ Markdown   | 12.34% | 1.23 s | `parse` |
 *                                  ─▶ HTML       a page with one table
 *                                  ─▶ CSV        12.34,1230000000,parse
 *                                  ─▶ JSON       { "share": 12.34, "self": 1230000000, "symbol": "parse" }
 *
 * The first three are for people: numbers have units, and facts are a heading. In CSV, an
 * apostrophe precedes texts that a spreadsheet would read as a formula.
 */
#ifndef RENDER_TABLE_TABLE_H
#define RENDER_TABLE_TABLE_H

#include "base/arena.h"
#include "base/sink.h"
#include "base/vec.h"
#include "libparse/event.h"

enum table_format {
	TABLE_FORMAT_TEXT,
	TABLE_FORMAT_MARKDOWN,
	TABLE_FORMAT_CSV,
	TABLE_FORMAT_JSON,
	TABLE_FORMAT_HTML,
};

/* The values of --format, in the order of enum table_format, ended by NULL. */
extern const char *const table_format_names[];

/*
 * The content of a column: how people see it and, after a semicolon, how programs read it, if that
 * differs.
 */
enum table_kind {
	TABLE_TEXT,     /* a name from the capture */
	TABLE_CODE,     /* text whose blanks are significant, in a monospaced font */
	TABLE_ID,       /* text, such as a PID; a number if it has only digits */
	TABLE_COUNT,    /* 1,234; 1234 */
	TABLE_SHARE,    /* 12.34%; 12.34 */
	TABLE_WEIGHT,   /* 1.23 s, 1,234 samples; the number in the column's unit */
	TABLE_DURATION, /* 1.23 ms; nanoseconds */
	TABLE_TIME,     /* seconds on the capture's clock, as --time accepts them; nanoseconds */
	TABLE_REAL,     /* with the column's decimals; six significant digits */
};

struct table_column {
	const char *title; /* for people */
	const char *key;   /* for programs */
	enum table_kind kind;
	enum weight_unit unit; /* of TABLE_WEIGHT */
	unsigned decimals;     /* of TABLE_REAL */
	bool is_for_people_only, is_for_programs_only;
};

struct table_cell {
	enum table_cell_state {
		TABLE_CELL_EMPTY,
		TABLE_CELL_TEXT,
		TABLE_CELL_NUMBER,
		TABLE_CELL_REAL
	} state;
	struct text text;
	uint64_t number, whole; /* whole: of a share */
	double real;
};

/* A property of all rows, for programs. */
struct table_fact {
	const char *key;
	enum table_kind kind;
	enum weight_unit unit;
	struct table_cell value;
};

struct table {
	struct arena arena;  /* of copied texts */
	const char *title;   /* of the HTML page; NULL if none */
	struct text heading; /* facts for people, in one line */
	VEC(struct table_column) columns;
	VEC(struct table_cell) cells; /* row by row */
	bool has_totals;              /* the last row is the totals row */
	VEC(struct text) row_names;   /* for limits (--fail-if); empty: none */
	VEC(struct table_fact) facts;
	VEC(struct text) notes; /* for people and JSON, after the rows */
};

void table_init(struct table *table);
void table_deinit(struct table *table);

/* Adds a column. All columns must be added before the first cell. Texts are borrowed. */
void table_add_column(struct table *table, struct table_column column);

/* These functions add the next cell. text is borrowed. */
void table_add_text(struct table *table, struct text text);
void table_add_number(struct table *table, uint64_t number);
void table_add_share(struct table *table, uint64_t part, uint64_t whole);
void table_add_real(struct table *table, double real);
void table_add_empty(struct table *table);

/*
 * Makes the cells that were added after the last complete row the totals row, which stands for all
 * rows together. Missing cells are empty. The row is written for people and in JSON. CSV leaves it
 * out, so that programs can add up a column.
 */
void table_end_totals(struct table *table);

/* Names the first row without a name. Copies the text. */
void table_name_row(struct table *table, struct text name);

/*
 * Names this row after the texts and numbers of the cells that were added last, joined by
 * semicolons.
 */
void table_name_row_by_cells(struct table *table, size_t cell_count);

/* Copies a text whose memory may be freed before the table is. */
struct text table_copy(struct table *table, struct text text);

/* These functions set the heading, and add facts. Texts are borrowed. */
void table_set_heading(struct table *table, struct text heading);
void table_add_fact_text(struct table *table, const char *key, struct text value);
void table_add_fact_number(struct table *table, const char *key, uint64_t value);
void table_add_fact_weight(struct table *table, const char *key, uint64_t value,
			   enum weight_unit unit);

/* Adds a note. Copies the text. */
void table_add_note(struct table *table, struct text note);

/* "1 call ..." or "1,234 calls ...". Adds nothing if the count is 0. */
void table_add_count_note(struct table *table, uint64_t count, const char *one,
			  const char *several);

/* Adds a cell with a TID or a similar number, which may be negative. */
void table_add_id(struct table *table, uint32_t id);

/* A row of the results, and the value by which it is sorted. */
struct table_rank {
	uint64_t value;
	size_t index;
};

/* Sorts by value, largest first, then by index. */
void table_ranks_sort(struct table_rank *ranks, size_t count);

/* The number of rows, without the totals row. */
size_t table_row_count(const struct table *table);

/* Returns a cell. If there is a totals row, its index is table_row_count. */
static inline const struct table_cell *table_cell_at(const struct table *table, size_t row,
						     size_t column)
{
	return &table->cells.at[row * table->columns.count + column];
}

/* Writes a cell for people, without escaping. */
void table_write_plain(const struct table_column *column, const struct table_cell *cell,
		       struct sink *sink);

void table_write(const struct table *table, enum table_format format, struct sink *sink);

#endif
