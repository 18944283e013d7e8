/* SPDX-License-Identifier: MIT */
/*
 * Writes a table as text, in columns that are as wide as their contents:
 *
 *     # event cycles, 1,234 samples
 *     #   self    total  symbol
 *       12.34%   45.67%  parse
 */
#include "render/escape.h"
#include "render/table/table_format.h"

#include "base/utf8.h"

/* Texts are padded up to this width, so that a long name does not push the other columns away. */
#define TEXT_WIDTH_MAX 40
/* Numbers are padded to at least this width: "100.00%". */
#define NUMBER_WIDTH_MIN 7

static size_t character_count(struct text text)
{
	size_t count = 0;

	for (uint32_t i = 0; i < text.length; count++) {
		size_t length = utf8_length((struct text){ text.at + i, text.length - i });

		i += length ? (uint32_t)length : 1;
	}
	return count;
}

static struct text cell_text(const struct table_column *column, const struct table_cell *cell,
			     struct sink *buffer)
{
	buffer->used = 0;
	if (cell->state == TABLE_CELL_TEXT)
		escape_terminal(buffer, cell->text);
	else
		table_write_plain(column, cell, buffer);
	return sink_memory(buffer);
}

/* Titles may be names from the capture. */
static struct text title_text(const struct table_column *column, struct sink *buffer)
{
	buffer->used = 0;
	escape_terminal(buffer, text_of(column->title));
	return sink_memory(buffer);
}

static size_t width_of(const struct table *table, size_t k, struct sink *buffer)
{
	const struct table_column *column = &table->columns.at[k];
	bool is_left = table_is_left(column->kind);
	size_t width = character_count(title_text(column, buffer));
	size_t row_count = table_row_count(table) + table->has_totals;

	for (size_t i = 0; i < row_count; i++) {
		size_t count =
			character_count(cell_text(column, table_cell_at(table, i, k), buffer));

		if (count > width)
			width = count;
	}
	if (!is_left && width < NUMBER_WIDTH_MIN)
		return NUMBER_WIDTH_MIN;
	return is_left && width > TEXT_WIDTH_MAX ? TEXT_WIDTH_MAX : width;
}

static void pad(struct sink *sink, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sink_char(sink, ' ');
}

/* Pads a word to the width of its column. Text in the last column is not padded. */
static void write_padded(struct text word, size_t width, bool is_left, bool is_last,
			 struct sink *sink)
{
	size_t count = character_count(word);
	size_t missing = count < width ? width - count : 0;

	if (!is_left && (count || !is_last))
		pad(sink, missing);
	sink_text(sink, word);
	if (is_left && !is_last)
		pad(sink, missing);
}

struct text_columns {
	VEC(size_t) widths; /* 0 if not shown */
	size_t last;        /* shown */
};

static void measure(const struct table *table, struct text_columns *ret, struct sink *buffer)
{
	for (size_t k = 0; k < table->columns.count; k++) {
		bool is_shown = !table->columns.at[k].is_for_programs_only;

		vec_push(&ret->widths, is_shown ? width_of(table, k, buffer) : 0);
		if (is_shown)
			ret->last = k;
	}
}

static void write_titles(const struct table *table, const struct text_columns *columns,
			 struct sink *buffer, struct sink *sink)
{
	const char *mark = "#";

	for (size_t k = 0; k < table->columns.count; k++) {
		const struct table_column *column = &table->columns.at[k];

		if (!columns->widths.at[k])
			continue;
		sink_puts(sink, mark);
		write_padded(title_text(column, buffer), columns->widths.at[k],
			     table_is_left(column->kind), k == columns->last, sink);
		mark = "  ";
	}
	sink_char(sink, '\n');
}

static void write_row(const struct table *table, size_t row, const struct text_columns *columns,
		      struct sink *buffer, struct sink *sink)
{
	const char *mark = " ";

	for (size_t k = 0; k < table->columns.count; k++) {
		const struct table_column *column = &table->columns.at[k];

		if (!columns->widths.at[k])
			continue;
		sink_puts(sink, mark);
		write_padded(cell_text(column, table_cell_at(table, row, k), buffer),
			     columns->widths.at[k], table_is_left(column->kind), k == columns->last,
			     sink);
		mark = "  ";
	}
	sink_char(sink, '\n');
}

static void write_line(struct text line, struct sink *sink)
{
	sink_puts(sink, "# ");
	escape_terminal(sink, line);
	sink_char(sink, '\n');
}

void table_write_text(const struct table *table, struct sink *sink)
{
	struct text_columns columns = { .last = 0 };
	size_t row_count = table_row_count(table) + table->has_totals;
	struct sink buffer;

	sink_init_memory(&buffer);
	measure(table, &columns, &buffer);
	if (table->heading.length)
		write_line(table->heading, sink);
	write_titles(table, &columns, &buffer, sink);
	for (size_t i = 0; i < row_count; i++)
		write_row(table, i, &columns, &buffer, sink);
	for (size_t i = 0; i < table->notes.count; i++)
		write_line(table->notes.at[i], sink);
	vec_free(&columns.widths);
	sink_deinit(&buffer);
}
