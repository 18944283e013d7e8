/* SPDX-License-Identifier: MIT */
#include "render/table/table_format.h"

#include <inttypes.h>
#include <stdlib.h>

#include "render/number.h"

const char *const table_format_names[] = {
	[TABLE_FORMAT_TEXT] = "text", [TABLE_FORMAT_MARKDOWN] = "markdown",
	[TABLE_FORMAT_CSV] = "csv",   [TABLE_FORMAT_JSON] = "json",
	[TABLE_FORMAT_HTML] = "html", NULL,
};

void table_init(struct table *table)
{
	*table = (struct table){ .title = NULL };
	arena_init(&table->arena);
}

void table_deinit(struct table *table)
{
	vec_free(&table->columns);
	vec_free(&table->cells);
	vec_free(&table->row_names);
	vec_free(&table->facts);
	vec_free(&table->notes);
	arena_deinit(&table->arena);
}

void table_add_column(struct table *table, struct table_column column)
{
	vec_push(&table->columns, column);
}

void table_add_text(struct table *table, struct text text)
{
	vec_push(&table->cells, (struct table_cell){ .state = TABLE_CELL_TEXT, .text = text });
}

void table_add_number(struct table *table, uint64_t number)
{
	vec_push(&table->cells,
		 (struct table_cell){ .state = TABLE_CELL_NUMBER, .number = number });
}

void table_add_share(struct table *table, uint64_t part, uint64_t whole)
{
	vec_push(&table->cells,
		 (struct table_cell){ .state = TABLE_CELL_NUMBER, .number = part, .whole = whole });
}

void table_add_real(struct table *table, double real)
{
	vec_push(&table->cells, (struct table_cell){ .state = TABLE_CELL_REAL, .real = real });
}

void table_add_empty(struct table *table)
{
	vec_push(&table->cells, (struct table_cell){ .state = TABLE_CELL_EMPTY });
}

void table_end_totals(struct table *table)
{
	while (table->cells.count % table->columns.count)
		table_add_empty(table);
	table->has_totals = true;
}

void table_name_row(struct table *table, struct text name)
{
	struct text copy = table_copy(table, name);

	vec_push(&table->row_names, copy);
}

void table_name_row_by_cells(struct table *table, size_t cell_count)
{
	const char *separator = "";
	struct sink name;

	sink_init_memory(&name);
	for (size_t i = cell_count; i; i--) {
		const struct table_cell *cell = &table->cells.at[table->cells.count - i];

		if (cell->state == TABLE_CELL_EMPTY)
			continue;
		sink_puts(&name, separator);
		separator = ";";
		if (cell->state == TABLE_CELL_NUMBER)
			sink_u64(&name, cell->number);
		else
			sink_text(&name, cell->text);
	}
	table_name_row(table, sink_memory(&name));
	sink_deinit(&name);
}

struct text table_copy(struct table *table, struct text text)
{
	return (struct text){ arena_text(&table->arena, text.at, text.length), text.length };
}

void table_set_heading(struct table *table, struct text heading)
{
	table->heading = heading;
}

void table_add_fact_text(struct table *table, const char *key, struct text value)
{
	vec_push(&table->facts,
		 (struct table_fact){ .key = key,
				      .kind = TABLE_TEXT,
				      .value = { .state = TABLE_CELL_TEXT, .text = value } });
}

void table_add_fact_number(struct table *table, const char *key, uint64_t value)
{
	vec_push(&table->facts,
		 (struct table_fact){ .key = key,
				      .kind = TABLE_COUNT,
				      .value = { .state = TABLE_CELL_NUMBER, .number = value } });
}

void table_add_fact_weight(struct table *table, const char *key, uint64_t value,
			   enum weight_unit unit)
{
	vec_push(&table->facts,
		 (struct table_fact){ .key = key,
				      .kind = TABLE_WEIGHT,
				      .unit = unit,
				      .value = { .state = TABLE_CELL_NUMBER, .number = value } });
}

void table_add_note(struct table *table, struct text note)
{
	struct text copy = table_copy(table, note);

	vec_push(&table->notes, copy);
}

void table_add_count_note(struct table *table, uint64_t count, const char *one, const char *several)
{
	struct sink sink;

	if (!count)
		return;
	sink_init_memory(&sink);
	number_grouped(&sink, count);
	sink_char(&sink, ' ');
	sink_puts(&sink, count == 1 ? one : several);
	table_add_note(table, sink_memory(&sink));
	sink_deinit(&sink);
}

void table_add_id(struct table *table, uint32_t id)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%" PRId32, (int32_t)id);

	table_add_text(table, table_copy(table, (struct text){ text, (uint32_t)length }));
}

static int compare_ranks(const void *a, const void *b)
{
	const struct table_rank *left = a;
	const struct table_rank *right = b;

	if (left->value != right->value)
		return left->value > right->value ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

void table_ranks_sort(struct table_rank *ranks, size_t count)
{
	if (count > 1)
		qsort(ranks, count, sizeof(*ranks), compare_ranks);
}

size_t table_row_count(const struct table *table)
{
	return table->columns.count ? table->cells.count / table->columns.count - table->has_totals
				    : 0;
}

bool table_is_left(enum table_kind kind)
{
	return kind == TABLE_TEXT || kind == TABLE_CODE || kind == TABLE_ID;
}

static void write_number(const struct table_column *column, const struct table_cell *cell,
			 struct sink *sink)
{
	switch (column->kind) {
	case TABLE_SHARE:
		number_percent(sink, cell->number, cell->whole);
		break;
	case TABLE_WEIGHT:
		number_weight(sink, cell->number, column->unit);
		break;
	case TABLE_DURATION:
		number_duration(sink, cell->number);
		break;
	case TABLE_TIME:
		number_seconds(sink, cell->number);
		break;
	default:
		number_grouped(sink, cell->number);
	}
}

void table_write_plain(const struct table_column *column, const struct table_cell *cell,
		       struct sink *sink)
{
	switch (cell->state) {
	case TABLE_CELL_TEXT:
		sink_text(sink, cell->text);
		break;
	case TABLE_CELL_NUMBER:
		write_number(column, cell, sink);
		break;
	case TABLE_CELL_REAL:
		sink_printf(sink, "%.*f%s", (int)column->decimals, cell->real,
			    column->kind == TABLE_SHARE ? "%" : "");
		break;
	case TABLE_CELL_EMPTY:
		break;
	}
}

void table_write(const struct table *table, enum table_format format, struct sink *sink)
{
	static void (*const writers[])(const struct table *, struct sink *) = {
		[TABLE_FORMAT_TEXT] = table_write_text,
		[TABLE_FORMAT_MARKDOWN] = table_write_markdown,
		[TABLE_FORMAT_CSV] = table_write_csv,
		[TABLE_FORMAT_JSON] = table_write_json,
		[TABLE_FORMAT_HTML] = table_write_html,
	};

	writers[format](table, sink);
}
