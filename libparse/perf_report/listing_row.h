/* SPDX-License-Identifier: MIT */
/*
 * The rows of `perf report --stdio`: their heading, cells and values.
 *
 *     # Overhead       Samples  Command    Shared Object  Symbol
 *         50.56%            91  quicksort  libcompare.so  [.] compare_keys
 *
 * Numbers come first, and two blanks separate columns. Cells can also contain two blanks. The line
 * of dots below the heading shows where columns begin.
 */
#ifndef LIBPARSE_PERF_REPORT_LISTING_ROW_H
#define LIBPARSE_PERF_REPORT_LISTING_ROW_H

#include "base/scan.h"

/* Maximum number of columns of `perf report` that are read. perf has fewer than 32 sort keys. */
#define LIMIT_LISTING_COLUMNS 32u

enum listing_column {
	LISTING_COLUMN_OVERHEAD,
	LISTING_COLUMN_CHILDREN,
	LISTING_COLUMN_SELF,
	LISTING_COLUMN_SAMPLES,
	LISTING_COLUMN_PERIOD,
	LISTING_COLUMN_NUMBER, /* another number */
	LISTING_COLUMN_COMM,
	LISTING_COLUMN_PID_COMM, /* "712:bash" */
	LISTING_COLUMN_TID_COMM,
	LISTING_COLUMN_OBJECT,
	LISTING_COLUMN_SYMBOL,
	LISTING_COLUMN_OTHER_SYMBOL, /* "Symbol size", "Source Symbol" */
	LISTING_COLUMN_SHORTENED,    /* a shortened "Comm", as -w 4 prints it */
	LISTING_COLUMN_TEXT,         /* another text */
};

struct listing_heading {
	enum listing_column columns[LIMIT_LISTING_COLUMNS];
	uint32_t count;                         /* 0 if the report has no heading */
	uint32_t begins[LIMIT_LISTING_COLUMNS]; /* bytes before each column */
	bool has_positions; /* the positions come from the line of dots below the heading */
	bool is_guessed;    /* the columns come from a row */
};

/* A percentage or a number. */
enum listing_value_kind {
	LISTING_VALUE_NONE,
	LISTING_VALUE_PERCENT, /* in hundredths */
	LISTING_VALUE_NUMBER,
};

struct listing_value {
	enum listing_value_kind kind;
	uint64_t number;
};

struct listing_row {
	struct listing_value overhead; /* with the column Children, the value of Self */
	struct listing_value children, samples, period;
	struct text comm, object, symbol; /* .at is NULL if unknown; `object` is the DSO */
	uint32_t pid, tid;
	bool has_pid, has_tid;
	bool is_kernel; /* the symbol is marked [k] */
};

/* Parses "Overhead  Command  Symbol", without the # before it. */
bool listing_heading_parse(struct text line, struct listing_heading *ret);

/*
 * Whether the first column that is not a number is a symbol. If the first text column is a symbol,
 * perf may omit functions.
 */
bool listing_heading_is_symbol_first(const struct listing_heading *heading);

/* Whether the line, without the #, is the "........  ......." below a heading. */
bool listing_heading_is_dots(struct text line);

/*
 * Sets the positions of columns from such a line. Returns false if the line has a different number
 * of columns.
 */
bool listing_heading_place(struct listing_heading *heading, struct text line);

/* Whether the line begins with a percentage, and continues after two blanks or a tab. */
bool listing_row_is(struct text line);

/*
 * Parses a row for which listing_row_is is true. If there is no heading, the first row determines
 * the columns. Returns false if the cells do not match the heading.
 */
bool listing_row_parse(struct listing_heading *heading, struct text line, struct listing_row *ret);

/* Reads "12.34%" or "1234" from the beginning. A percentage has two decimals, and is at most 100. */
bool listing_value_scan(struct text *rest, struct listing_value *ret);

#endif
