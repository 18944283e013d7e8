/* SPDX-License-Identifier: MIT */
/*
 * Writes a table as Markdown, for comments, and as an HTML page:
 *
 *     | self | symbol |          <tr><td class="number">12.34%</td><td>parse</td></tr>
 *     |---:|---|
 *     | 12.34% | `parse` |
 */
#include "render/escape.h"
#include "render/svg/svg_style.h"
#include "render/table/table_format.h"

static void write_markdown_text(struct text text, struct sink *sink)
{
	struct sink escaped;

	sink_init_memory(&escaped);
	escape_xml(&escaped, text);
	/*
	 * Outside names, these are the only characters in headings and notes that Markdown
	 * interprets.
	 */
	for (const char *at = sink_memory(&escaped).at, *end = at + escaped.used; at < end; at++) {
		if (strchr("*_`[]|\\", *at))
			sink_char(sink, '\\');
		sink_char(sink, *at);
	}
	sink_deinit(&escaped);
}

static void write_markdown_row(const struct table *table, size_t row, struct sink *sink)
{
	for (size_t k = 0; k < table->columns.count; k++) {
		const struct table_cell *cell = table_cell_at(table, row, k);

		if (table->columns.at[k].is_for_programs_only)
			continue;
		sink_puts(sink, "| ");
		if (cell->state == TABLE_CELL_TEXT && cell->text.length)
			escape_markdown_code(sink, cell->text);
		else
			table_write_plain(&table->columns.at[k], cell, sink);
		sink_char(sink, ' ');
	}
	sink_puts(sink, "|\n");
}

void table_write_markdown(const struct table *table, struct sink *sink)
{
	size_t row_count = table_row_count(table) + table->has_totals;

	if (table->heading.length) {
		write_markdown_text(table->heading, sink);
		sink_puts(sink, "\n\n");
	}
	for (size_t k = 0; k < table->columns.count; k++)
		if (!table->columns.at[k].is_for_programs_only) {
			sink_puts(sink, "| ");
			write_markdown_text(text_of(table->columns.at[k].title), sink);
			sink_char(sink, ' ');
		}
	sink_puts(sink, "|\n");
	for (size_t k = 0; k < table->columns.count; k++)
		if (!table->columns.at[k].is_for_programs_only)
			sink_puts(sink,
				  table_is_left(table->columns.at[k].kind) ? "|---" : "|---:");
	sink_puts(sink, "|\n");
	for (size_t i = 0; i < row_count; i++)
		write_markdown_row(table, i, sink);
	for (size_t i = 0; i < table->notes.count; i++) {
		sink_char(sink, '\n');
		write_markdown_text(table->notes.at[i], sink);
		sink_char(sink, '\n');
	}
}

#define HTML_STYLE                                                                                    \
	":root{color-scheme:light dark}"                                                              \
	"body{font:14px system-ui,sans-serif;margin:1.5em}"                                           \
	"table{border-collapse:collapse}"                                                             \
	"th,td{padding:.15em .8em .15em 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}" \
	"th{border-bottom:1px solid;position:sticky;top:0;background:Canvas;overflow-wrap:normal}"    \
	"td:not([class]){min-width:9em}"                                                              \
	".short{white-space:nowrap}"                                                                  \
	".number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"

/* Thread names and IDs are not wrapped: in a wide table, a browser would wrap them at each character. */
#define SHORT_BYTES_MAX 16

static const char html_style[] = HTML_STYLE;
static const char html_code_style[] =
	HTML_STYLE ".code{font-family:ui-monospace,monospace;white-space:pre;overflow-wrap:normal}"
		   "td.code{padding:0 .8em 0 0;line-height:1.35}";

static const char *style_of(const struct table *table)
{
	for (size_t k = 0; k < table->columns.count; k++)
		if (table->columns.at[k].kind == TABLE_CODE)
			return html_code_style;
	return html_style;
}

static void write_html_head(const struct table *table, struct sink *sink)
{
	const char *style = style_of(table);
	struct sink policy;

	sink_puts(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	sink_init_memory(&policy);
	sink_puts(&policy, "default-src 'none'; style-src");
	svg_style_write_hash(text_of(style), &policy);
	sink_puts(sink, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	escape_xml(sink, sink_memory(&policy));
	sink_puts(sink, "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	escape_xml(sink, text_of(table->title ? table->title : "kiln"));
	sink_printf(sink, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
	escape_xml(sink, text_of(table->title ? table->title : "kiln"));
	sink_puts(sink, "</h1>\n<p>");
	escape_xml(sink, table->heading);
	sink_puts(sink, "</p>\n");
	sink_deinit(&policy);
}

static const char *head_class(enum table_kind kind)
{
	if (kind == TABLE_CODE)
		return " class=\"code\"";
	return table_is_left(kind) ? "" : " class=\"number\"";
}

static const char *cell_class(enum table_kind kind, struct text cell)
{
	if (kind == TABLE_CODE || !table_is_left(kind))
		return head_class(kind);
	return cell.length <= SHORT_BYTES_MAX ? " class=\"short\"" : "";
}

static void write_html_row(const struct table *table, size_t row, struct sink *sink)
{
	struct sink plain;

	sink_init_memory(&plain);
	sink_puts(sink, "<tr>");
	for (size_t k = 0; k < table->columns.count; k++) {
		const struct table_column *column = &table->columns.at[k];

		if (column->is_for_programs_only)
			continue;
		plain.used = 0;
		table_write_plain(column, table_cell_at(table, row, k), &plain);
		sink_printf(sink, "<td%s>", cell_class(column->kind, sink_memory(&plain)));
		escape_xml(sink, sink_memory(&plain));
		sink_puts(sink, "</td>");
	}
	sink_puts(sink, "</tr>\n");
	sink_deinit(&plain);
}

void table_write_html(const struct table *table, struct sink *sink)
{
	size_t row_count = table_row_count(table);

	write_html_head(table, sink);
	sink_puts(sink, "<table>\n<thead>\n<tr>");
	for (size_t k = 0; k < table->columns.count; k++)
		if (!table->columns.at[k].is_for_programs_only) {
			sink_printf(sink, "<th scope=\"col\"%s>",
				    head_class(table->columns.at[k].kind));
			escape_xml(sink, text_of(table->columns.at[k].title));
			sink_puts(sink, "</th>");
		}
	sink_puts(sink, "</tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < row_count; i++)
		write_html_row(table, i, sink);
	sink_puts(sink, "</tbody>\n");
	if (table->has_totals) {
		sink_puts(sink, "<tfoot>\n");
		write_html_row(table, row_count, sink);
		sink_puts(sink, "</tfoot>\n");
	}
	sink_puts(sink, "</table>\n");
	for (size_t i = 0; i < table->notes.count; i++) {
		sink_puts(sink, "<p>");
		escape_xml(sink, table->notes.at[i]);
		sink_puts(sink, "</p>\n");
	}
	sink_puts(sink, "</main>\n</body>\n</html>\n");
}
