/* SPDX-License-Identifier: MIT */
#include "render/text/report.h"

#include "base/strings.h"
#include "base/utf8.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"
#include "render/text/report_rows.h"

/*
 * Columns are as wide as their contents, up to this limit, so that a long name does not push the
 * others away.
 */
#define COLUMN_WIDTH_MAX 40

static uint64_t total_of(const struct profile *profile)
{
	return profile->stacks.count ? profile->stacks.at[0].total : 0;
}

static void write_cell(const struct report_cell *cell, struct sink *sink)
{
	escape_terminal(sink, cell->text);
	if (!cell->dso.length)
		return;
	sink_puts(sink, "  (");
	escape_terminal(sink, cell->dso);
	sink_char(sink, ')');
}

static size_t character_count(struct text text)
{
	size_t count = 0;

	for (uint32_t i = 0; i < text.length; count++) {
		size_t length = utf8_length((struct text){ text.at + i, text.length - i });

		i += length ? (uint32_t)length : 1;
	}
	return count;
}

/* Writes a cell, padded to the width of the column if another follows. */
static void write_padded(struct text word, size_t width, bool is_last, struct sink *sink)
{
	size_t count = character_count(word);

	sink_puts(sink, "  ");
	sink_text(sink, word);
	if (!is_last && count < width)
		sink_printf(sink, "%*s", (int)(width - count), "");
}

static struct text cell_text(const struct report_cell *cell, struct sink *buffer)
{
	buffer->used = 0;
	write_cell(cell, buffer);
	return sink_memory(buffer);
}

static void measure_columns(const struct report_rows *rows, size_t row_count, size_t *widths)
{
	struct sink buffer;

	sink_init_memory(&buffer);
	for (uint32_t k = 0; k < rows->columns->count; k++) {
		widths[k] = character_count(grouping_column_name(rows->columns, k));
		for (size_t i = 0; i < row_count; i++) {
			const struct report_cell *cell = report_rows_cell(rows, &rows->at.at[i], k);
			size_t count = character_count(cell_text(cell, &buffer));

			if (count > widths[k])
				widths[k] = count;
		}
		if (widths[k] > COLUMN_WIDTH_MAX)
			widths[k] = COLUMN_WIDTH_MAX;
	}
	sink_deinit(&buffer);
}

static void write_head(const struct profile *profile, struct sink *sink)
{
	sink_puts(sink, "# event ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, ", ");
	/* A folded line with a fractional weight is not a number of samples. */
	if (profile->unit != UNIT_MILLIONTHS) {
		number_grouped(sink, profile->view_sample_count);
		sink_puts(sink, " samples, ");
	}
	sink_puts(sink, "total ");
	number_weight(sink, total_of(profile), profile->unit);
	if (profile->weight_name.i != STR_EMPTY.i) {
		sink_puts(sink, " of ");
		escape_terminal(sink, strings_get(profile->strings, profile->weight_name));
	}
	sink_puts(sink, "\n#   self    total");
}

static void write_text(const struct report_rows *rows, size_t row_count, struct sink *sink)
{
	uint32_t column_count = rows->columns->count;
	uint64_t all = total_of(rows->profile);
	size_t widths[GROUPING_LEVELS_MAX];
	struct sink buffer;

	measure_columns(rows, row_count, widths);
	write_head(rows->profile, sink);
	for (uint32_t k = 0; k < column_count; k++)
		write_padded(grouping_column_name(rows->columns, k), widths[k],
			     k + 1 == column_count, sink);
	sink_char(sink, '\n');
	sink_init_memory(&buffer);
	for (size_t i = 0; i < row_count; i++) {
		const struct report_row *row = &rows->at.at[i];

		number_percent_padded(sink, row->self, all, 8);
		number_percent_padded(sink, row->total, all, 9);
		for (uint32_t k = 0; k < column_count; k++)
			write_padded(cell_text(report_rows_cell(rows, row, k), &buffer), widths[k],
				     k + 1 == column_count, sink);
		sink_char(sink, '\n');
	}
	sink_deinit(&buffer);
}

/* As --weight names it. */
static struct text weighed_by(const struct profile *profile)
{
	if (profile->weight_name.i != STR_EMPTY.i)
		return strings_get(profile->strings, profile->weight_name);
	return text_of(profile->unit == UNIT_SAMPLES ? "samples" : "period");
}

/* Numbers are written as JSON numbers unless they are not valid as such: "-1". */
static void json_cell(struct json *json, const struct report_rows *rows, uint32_t column,
		      const struct report_cell *cell)
{
	struct text name = grouping_column_name(rows->columns, column);
	struct text text = cell->text;
	char key[LIMIT_NAME_BYTES];

	snprintf(key, sizeof(key), "%.*s", (int)name.length, name.at);
	if (grouping_is_number(rows->columns->by[column]) && text.length &&
	    strspn(text.at, "0123456789") == text.length)
		json_u64(json, key, strtoull(text.at, NULL, 10));
	else
		json_text(json, key, text);
	if (cell->dso.at)
		json_text(json, "dso", cell->dso);
}

static void json_row(struct json *json, const struct report_rows *rows,
		     const struct report_row *row)
{
	json_open_object(json, NULL);
	for (uint32_t k = 0; k < rows->columns->count; k++)
		json_cell(json, rows, k, report_rows_cell(rows, row, k));
	json_weight(json, "self", row->self, rows->profile->unit);
	json_weight(json, "total", row->total, rows->profile->unit);
	json_close_object(json);
}

static void write_json(const struct report_rows *rows, size_t row_count, struct sink *sink)
{
	const struct profile *profile = rows->profile;
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_text(&json, "weighed_by", weighed_by(profile));
	json_unit(&json, profile->unit);
	json_u64(&json, "samples", profile->view_sample_count);
	json_weight(&json, "total", total_of(profile), profile->unit);
	json_open_array(&json, "rows");
	for (size_t i = 0; i < row_count; i++)
		json_row(&json, rows, &rows->at.at[i]);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

/* The number of rows within the limits. Rows are sorted by the limited value. */
static size_t shown_count(const struct report_rows *rows, const struct report_options *options)
{
	double least = options->least_percent / 100 * (double)total_of(rows->profile);
	size_t count = 0;

	while (count < rows->at.count && (!options->limit || count < options->limit)) {
		const struct report_row *row = &rows->at.at[count];

		if ((double)(options->order == REPORT_TOTAL_FIRST ? row->total : row->self) < least)
			break;
		count++;
	}
	return count;
}

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink)
{
	struct report_rows rows;
	size_t row_count;

	report_rows_init(&rows, profile, options->columns);
	report_rows_sort(&rows, options->order == REPORT_TOTAL_FIRST);
	row_count = shown_count(&rows, options);
	if (profile_shows_histogram(profile))
		report_rows_sort_buckets(&rows, row_count);
	if (options->is_json)
		write_json(&rows, row_count, sink);
	else
		write_text(&rows, row_count, sink);
	report_rows_deinit(&rows);
}
