/* SPDX-License-Identifier: MIT */
/*
 * The source lines of one unit's code, of which a table gets those of the functions in it.
 */
#ifndef DWARF_LINE_ROWS_H
#define DWARF_LINE_ROWS_H

#include "dwarf/die_name.h"

struct line_row {
	uint64_t address;
	const char *file;
	int line; /* 0: nothing is known from here on */
};

struct line_rows {
	VEC(struct line_row) rows; /* by address */
};

/* Reads those of a unit, leaving nothing of the unit before. */
void line_rows_read(struct line_rows *rows, Dwarf_Die *unit);
void line_rows_deinit(struct line_rows *rows);

/* Adds the lines of a stretch of code to the table that names belongs to. */
void line_rows_take(const struct line_rows *rows, struct inline_range range,
		    struct die_names *names);

#endif
