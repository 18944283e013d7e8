/* SPDX-License-Identifier: MIT */
/*
 * The rows of a report: one for each distinct tuple of column values.
 *
 *     stack                       columns comm,dso,symbol
 *     make;main;parse  3          make  /bin/make  main   self 0  total 3
 *                                 make  /bin/make  parse  self 3  total 3
 *
 * Sample columns are the groups of a stack, from the root on and in column order
 * (grouping_of_samples). Frame columns are evaluated for each frame below these groups.
 */
#ifndef RENDER_REPORT_REPORT_ROWS_H
#define RENDER_REPORT_REPORT_ROWS_H

#include "base/strings.h"
#include "base/vec.h"
#include "profile/grouping.h"
#include "profile/profile.h"
#include "render/table/table.h"

struct report_cell {
	struct text text;
	struct text dso; /* DSO of a symbol, if there is no DSO column; at is NULL if not set */
	uint64_t id;     /* equal values in a column have equal ids */
};

struct report_row {
	uint64_t self, total;
	/* Numbers of samples; 0 unless profile->keeps_sample_counts. */
	uint64_t self_samples, total_samples;
	size_t cell_first; /* first of columns->count cells */
	uint32_t end;      /* of the last subtree that was counted */
};

struct report_rows {
	const struct profile *profile;
	const struct grouping *columns;
	VEC(struct report_row) at;
	VEC(struct report_cell) cells;
	struct strings names; /* function names without source lines, which have their own column */
	VEC(str_id) paths;    /* by name: the path of its DSO if that is the only one */
};

static inline const struct report_cell *
report_rows_cell(const struct report_rows *rows, const struct report_row *row, uint32_t column)
{
	return &rows->cells.at[row->cell_first + column];
}

/* columns and profile are borrowed; the profile is grouped by the sample columns. */
void report_rows_init(struct report_rows *rows, const struct profile *profile,
		      const struct grouping *columns);
void report_rows_deinit(struct report_rows *rows);

/*
 * Names the next row of a table after the texts of its cells, joined by semicolons. except: a
 * column to leave out.
 */
void report_rows_name(const struct report_rows *rows, const struct report_row *row, uint32_t except,
		      struct table *table);

/* Which rows come first. */
enum report_order {
	REPORT_SELF_FIRST,
	REPORT_TOTAL_FIRST,
	REPORT_SAMPLES_FIRST,
	REPORT_NAMES_FIRST,
};

/*
 * Sorts rows, the largest first. Rows with equal keys are sorted by the other weight (total or
 * self), then by the texts of their cells.
 */
void report_rows_sort(struct report_rows *rows, enum report_order order);

/*
 * For a histogram by symbol: sorts the first rows, which have self weight and are its buckets, in
 * bucket order.
 */
void report_rows_sort_buckets(struct report_rows *rows, size_t count);

#endif
