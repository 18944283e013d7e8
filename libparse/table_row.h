/* SPDX-License-Identifier: MIT */
/*
 * Splits table rows into cells, and distinguishes rows from folded stacks, which also end in a
 * number.
 *
 *     TIME(s)     COMM      PID    DISK    BYTES     heading: capitalised words
 *     0.000004    startd    1950   xvda1   4096      row: repeated blanks, several numbers
 *     startd;main;write 4096                         stack
 */
#ifndef LIBPARSE_TABLE_ROW_H
#define LIBPARSE_TABLE_ROW_H

#include "base/strings.h"

struct table_columns {
	uint32_t number_count; /* words that are numbers, times or network addresses */
	uint32_t gap_count;    /* gaps of a tab or several blanks */
	bool has_number_first; /* the first of several words is a number */
};

struct table_columns table_columns_of(struct text text);

/*
 * Whether the line is a heading. At least two words, and at least half of all words, must begin
 * with two capitals. No word may be a number or begin with a lower-case letter.
 */
bool table_is_heading(struct text line);

/*
 * Reads the next cell of CSV or TSV from *rest. Removes the quotes around a cell or, if there are
 * none, the blanks. After the last cell, rest->at is NULL. Returns false if there is no cell, or if
 * the quotes of the cell do not match.
 */
bool table_next_cell(struct text *rest, char separator, struct text *ret);

#endif
