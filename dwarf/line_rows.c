/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/line_rows.h"

void line_rows_deinit(struct line_rows *rows)
{
	vec_free(&rows->rows);
}

static struct line_row row_of(Dwarf_Line *line)
{
	struct line_row row = { .address = 0 };
	bool is_end = false;

	if (dwarf_lineaddr(line, &row.address) != 0)
		return row;
	if (dwarf_lineendsequence(line, &is_end) != 0 || is_end ||
	    dwarf_lineno(line, &row.line) != 0 || row.line < 0)
		row.line = 0;
	row.file = row.line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct line_row *left = a;
	const struct line_row *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

/* libdw sorts the rows, except in corrupt line tables. */
static bool is_sorted(const struct line_rows *rows)
{
	for (size_t i = 1; i < rows->rows.count; i++)
		if (rows->rows.at[i - 1].address > rows->rows.at[i].address)
			return false;
	return true;
}

void line_rows_read(struct line_rows *rows, Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t count;

	rows->rows.count = 0;
	if (dwarf_getsrclines(unit, &lines, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		struct line_row row = row_of(dwarf_onesrcline(lines, i));

		/* If several rows have the same address, the last one is used, as in debuggers. */
		if (rows->rows.count && row.line &&
		    rows->rows.at[rows->rows.count - 1].address == row.address)
			rows->rows.count--;
		vec_push(&rows->rows, row);
	}
	if (!is_sorted(rows))
		qsort(rows->rows.at, rows->rows.count, sizeof(*rows->rows.at), compare_rows);
}

void line_rows_add(const struct line_rows *rows, struct inline_range range, struct die_names *names)
{
	struct inline_table *table = names->table;
	size_t low = vec_count_first(&rows->rows, row, row->address <= range.start);
	for (size_t i = low > 0 ? low - 1 : 0;
	     i < rows->rows.count && rows->rows.at[i].address < range.end; i++) {
		const struct line_row *row = &rows->rows.at[i];

		vec_push(&table->lines,
			 (struct inline_line){
				 .address = row->address > range.start ? row->address : range.start,
				 .file = die_names_text(names, row->file),
				 .line = (uint32_t)row->line,
			 });
	}
	vec_push(&table->lines, (struct inline_line){ .address = range.end });
}

#endif
