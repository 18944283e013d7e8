/* SPDX-License-Identifier: MIT */
/* The line table of one unit, from which the lines of functions are copied to an inline table. */
#ifndef DWARF_LINE_ROWS_H
#define DWARF_LINE_ROWS_H

#include "dwarf/die_name.h"

struct line_row {
	uint64_t address;
	const char *file;
	int line; /* 0 if the line is unknown from here on */
};

struct line_rows {
	VEC(struct line_row) rows; /* sorted by address */
};

/* Reads the rows of a unit, replacing those of the previous one. */
void line_rows_read(struct line_rows *rows, Dwarf_Die *unit);
void line_rows_deinit(struct line_rows *rows);

/* Adds the lines of a range of code to the inline table of `names`. */
void line_rows_add(const struct line_rows *rows, struct inline_range range,
		   struct die_names *names);

#endif
