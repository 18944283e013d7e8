/* SPDX-License-Identifier: MIT */
/*
 * The rows of a report: one for each distinct tuple of what its columns show.
 *
 *     stack                       columns comm,dso,symbol
 *     make;main;parse  3          make  /bin/make  main   self 0  total 3
 *                                 make  /bin/make  parse  self 3  total 3
 *
 * Columns of samples are the frames stacks are grouped by, from the root up and in the order of the
 * columns (grouping_of_samples); columns of frames are asked of each frame above them.
 */
#ifndef RENDER_TEXT_REPORT_ROWS_H
#define RENDER_TEXT_REPORT_ROWS_H

#include "base/vec.h"
#include "profile/grouping.h"
#include "profile/profile.h"

struct report_cell {
	struct text text;
	struct text dso; /* of a symbol without a column for it; at NULL: none */
	uint64_t id;     /* equal ids in one column are equal values */
};

struct report_row {
	uint64_t self, total;
	size_t cell_first; /* of columns->count */
	uint32_t open;     /* frames of the path being walked that count for this one */
};

struct report_rows {
	const struct profile *profile;
	const struct grouping *columns;
	VEC(struct report_row) at;
	VEC(struct report_cell) cells;
	struct strings
		names; /* of functions without their lines, which have a column of their own */
};

/* columns and profile are borrowed; the profile is grouped by those columns that are of samples. */
void report_rows_init(struct report_rows *rows, const struct profile *profile,
		      const struct grouping *columns);
void report_rows_deinit(struct report_rows *rows);

/* Largest self first, or largest total; among equals the other, then the texts of cells. */
void report_rows_sort(struct report_rows *rows, bool is_total_first);

/* Of a histogram by symbol: puts those of the first rows that samples ended in, which are its buckets, in
 * the order of buckets. */
void report_rows_sort_buckets(struct report_rows *rows, size_t count);

static inline const struct report_cell *
report_rows_cell(const struct report_rows *rows, const struct report_row *row, uint32_t column)
{
	return &rows->cells.at[row->cell_first + column];
}

#endif
