/* SPDX-License-Identifier: MIT */
/*
 * Rows of tables. Many tools print a table whose last column is a number, and folded stacks end in one too; what tells
 * them apart is what stands before it:
 *
 *     TIME(s)     COMM      PID    DISK    BYTES     a heading: words of capitals
 *     0.000004    startd    1950   xvda1   4096      a row: several blanks between columns, several numbers
 *     startd;main;write 4096                         a stack
 */
#ifndef LIBPARSE_TABLE_ROW_H
#define LIBPARSE_TABLE_ROW_H

#include "base/strings.h"

struct table_columns {
	uint32_t number_count; /* words that are numbers, times, or addresses of a network */
	uint32_t gap_count;    /* places where several blanks, or a tab, stand between words */
	bool has_number_first; /* before another word, as a PID before a name */
};

struct table_columns table_columns_of(struct text text);

/* Whether it is the heading of a table: two words or more, of capitals. */
bool table_is_heading(struct text line);

#endif
