/* SPDX-License-Identifier: MIT */
/* Writes a table for programs: CSV (RFC 4180, with newlines as line ends) and JSON. */
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"
#include "render/table/table_format.h"

static double share_of(const struct table_cell *cell)
{
	return cell->whole ? 100 * (double)cell->number / (double)cell->whole : 0;
}

/* Spreadsheets interpret texts that begin with these characters as formulas. */
static bool is_formula(struct text text)
{
	return text.length && strchr("=+-@\t", text.at[0]);
}

static void write_csv_text(struct text name, struct sink *sink)
{
	struct sink plain;
	struct text text;
	bool is_quoted = false;

	sink_init_memory(&plain);
	if (is_formula(name))
		sink_char(&plain, '\'');
	escape_terminal(&plain, name);
	text = sink_memory(&plain);
	for (uint32_t i = 0; i < text.length && !is_quoted; i++)
		is_quoted = text.at[i] == ',' || text.at[i] == '"';
	if (is_quoted)
		sink_char(sink, '"');
	for (uint32_t i = 0; i < text.length; i++) {
		if (text.at[i] == '"')
			sink_char(sink, '"');
		sink_char(sink, text.at[i]);
	}
	if (is_quoted)
		sink_char(sink, '"');
	sink_deinit(&plain);
}

static void write_csv_cell(const struct table_column *column, const struct table_cell *cell,
			   struct sink *sink)
{
	if (cell->state == TABLE_CELL_TEXT)
		write_csv_text(cell->text, sink);
	else if (cell->state == TABLE_CELL_REAL)
		sink_printf(sink, "%.6g", cell->real);
	else if (cell->state == TABLE_CELL_NUMBER && column->kind == TABLE_SHARE)
		sink_printf(sink, "%.4f", share_of(cell));
	else if (cell->state == TABLE_CELL_NUMBER && column->kind == TABLE_WEIGHT)
		number_plain(sink, cell->number, column->unit);
	else if (cell->state == TABLE_CELL_NUMBER)
		sink_u64(sink, cell->number);
}

void table_write_csv(const struct table *table, struct sink *sink)
{
	size_t row_count = table_row_count(table);
	const char *comma = "";

	for (size_t k = 0; k < table->columns.count; k++) {
		if (table->columns.at[k].is_for_people_only)
			continue;
		sink_puts(sink, comma);
		write_csv_text(text_of(table->columns.at[k].key), sink);
		comma = ",";
	}
	sink_char(sink, '\n');
	for (size_t i = 0; i < row_count; i++) {
		comma = "";
		for (size_t k = 0; k < table->columns.count; k++) {
			if (table->columns.at[k].is_for_people_only)
				continue;
			sink_puts(sink, comma);
			write_csv_cell(&table->columns.at[k], table_cell_at(table, i, k), sink);
			comma = ",";
		}
		sink_char(sink, '\n');
	}
}

static void write_json_cell(struct json *json, const struct table_column *column,
			    const struct table_cell *cell)
{
	struct text text = cell->text;

	switch (cell->state) {
	case TABLE_CELL_TEXT:
		if (column->kind == TABLE_ID && text.length && text.length < 20 &&
		    strspn(text.at, "0123456789") >= text.length)
			json_u64(json, column->key, strtoull(text.at, NULL, 10));
		else
			json_text(json, column->key, text);
		break;
	case TABLE_CELL_REAL:
		json_number(json, column->key, cell->real);
		break;
	case TABLE_CELL_NUMBER:
		if (column->kind == TABLE_SHARE)
			json_number(json, column->key, share_of(cell));
		else if (column->kind == TABLE_WEIGHT)
			json_weight(json, column->key, cell->number, column->unit);
		else
			json_u64(json, column->key, cell->number);
		break;
	case TABLE_CELL_EMPTY:
		break;
	}
}

static void write_json_row(const struct table *table, const char *key, size_t row,
			   struct json *json)
{
	json_open_object(json, key);
	for (size_t k = 0; k < table->columns.count; k++)
		if (!table->columns.at[k].is_for_people_only)
			write_json_cell(json, &table->columns.at[k], table_cell_at(table, row, k));
	json_close_object(json);
}

void table_write_json(const struct table *table, struct sink *sink)
{
	size_t row_count = table_row_count(table);
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	for (size_t i = 0; i < table->facts.count; i++) {
		const struct table_fact *fact = &table->facts.at[i];
		const struct table_column column = { .key = fact->key,
						     .kind = fact->kind,
						     .unit = fact->unit };

		write_json_cell(&json, &column, &fact->value);
	}
	if (table->has_totals)
		write_json_row(table, "all", row_count, &json);
	json_open_array(&json, "rows");
	for (size_t i = 0; i < row_count; i++)
		write_json_row(table, NULL, i, &json);
	json_close_array(&json);
	if (table->notes.count) {
		json_open_array(&json, "notes");
		for (size_t i = 0; i < table->notes.count; i++)
			json_text(&json, NULL, table->notes.at[i]);
		json_close_array(&json);
	}
	json_close_object(&json);
	json_finish(&json);
}
