/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_markdown.h"

#include <math.h>

#include "render/diff/captures_text.h"
#include "render/diff/cost_text.h"
#include "render/diff/headline_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/diff_table.h"
#include "render/escape.h"

/* What is visible without the details: so many rows leave a review its 25 lines. */
#define VISIBLE_ROWS 12
/* Characters of a name in full. */
#define NAME_MAX 2000

struct page {
	const struct diff *diff;
	struct short_names names;
	VEC(size_t) rows; /* functions that have one */
	struct sink *sink;
};

/* What is worth a row: what changed, or, where nothing is graded, what is large. */
static bool has_row(const struct diff *diff, const struct diff_function *function)
{
	if (diff->is_graded)
		return diff_verdict_is_change(function->verdict);
	return fabs(diff_points(diff, &function->self)) >= diff->options.margin ||
	       fabs(diff_points(diff, &function->total)) >= diff->options.margin;
}

static void page_init(struct page *page, const struct diff *diff, uint64_t limit, struct sink *sink)
{
	uint64_t most = limit ? limit : DIFF_TABLE_ROWS;

	*page = (struct page){ .diff = diff, .sink = sink };
	diff_names_init(&page->names, diff);
	for (size_t i = 0; i < diff->functions.count && page->rows.count < most; i++)
		if (has_row(diff, &diff->functions.at[i]))
			vec_push(&page->rows, i);
}

static void page_deinit(struct page *page)
{
	short_names_deinit(&page->names);
	vec_free(&page->rows);
}

static void write_cells(const struct diff *diff, const struct diff_measure *measure,
			struct sink *sink)
{
	sink_char(sink, ' ');
	diff_share_write(diff, measure, DIFF_BEFORE, 0, sink);
	sink_puts(sink, " → ");
	diff_share_write(diff, measure, DIFF_AFTER, 0, sink);
	sink_puts(sink, " (");
	diff_percent_write(diff, measure, sink);
	sink_puts(sink, ") |");
}

static void write_cost(const struct diff *diff, const struct diff_function *function,
		       struct sink *sink)
{
	struct diff_cost cost =
		diff_cost_of(diff, diff_judged_measure(function), diff_judged_estimate(function));

	sink_char(sink, ' ');
	diff_cost_write_value(diff, cost.value[DIFF_BEFORE], sink);
	sink_puts(sink, " → ");
	diff_cost_write_value(diff, cost.value[DIFF_AFTER], sink);
	sink_puts(sink, " (");
	diff_cost_write_percent(&cost, sink);
	if (diff->is_graded) {
		sink_char(sink, ' ');
		diff_interval_write(&cost.percent_interval, 1, sink);
	}
	sink_puts(sink, ") |");
}

static void write_row(const struct page *page, size_t index)
{
	const struct diff *diff = page->diff;
	const struct diff_function *function = &diff->functions.at[index];
	const struct diff_measure *measure = diff_judged_measure(function);
	struct sink *sink = page->sink;

	sink_puts(sink, "| ");
	escape_markdown_code(sink, short_names_get(&page->names, index));
	sink_printf(sink, " | %+.2f", diff_points(diff, measure));
	if (diff->is_graded) {
		sink_char(sink, ' ');
		diff_interval_write(&diff_judged_estimate(function)->points, 2, sink);
	}
	sink_puts(sink, " |");
	if (diff_cost_is_asked(diff))
		write_cost(diff, function, sink);
	write_cells(diff, &function->self, sink);
	write_cells(diff, &function->total, sink);
	sink_char(sink, ' ');
	diff_verdict_write(diff, function, sink);
	if (diff->is_graded)
		sink_printf(
			sink, " (p = %.2g)",
			fmin(function->self.corrected_p_value, function->total.corrected_p_value));
	sink_puts(sink, " |\n");
}

static void write_columns(const struct diff *diff, struct sink *sink)
{
	bool has_costs = diff_cost_is_asked(diff);

	sink_puts(sink, "| function | change, points |");
	if (has_costs) {
		sink_char(sink, ' ');
		diff_cost_write_what(diff, sink);
		sink_puts(sink, " |");
	}
	sink_puts(sink, " self | total | verdict |\n");
	sink_puts(sink,
		  has_costs ? "|---|---:|---:|---:|---:|---|\n" : "|---|---:|---:|---:|---|\n");
}

static void write_rows(const struct page *page, size_t first, size_t end)
{
	write_columns(page->diff, page->sink);
	for (size_t i = first; i < end; i++)
		write_row(page, page->rows.at[i]);
}

static void write_side(const struct page *page, enum diff_side side, const char *begin)
{
	sink_puts(page->sink, begin);
	diff_captures_write_side(page->diff, side, escape_markdown_code, page->sink);
	sink_puts(page->sink, "; ");
	diff_side_write(page->diff, side, page->sink);
	sink_char(page->sink, '\n');
}

static void write_head(const struct page *page)
{
	const struct diff *diff = page->diff;
	struct sink *sink = page->sink;

	sink_puts(sink, "**");
	diff_headline_write(diff, escape_markdown_code, sink);
	sink_puts(sink, ".**\n\nProfile, before and after: ");
	escape_markdown_code(sink, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(sink, "; ");
	diff_terms_write(diff, sink);
	sink_puts(sink, "; ");
	diff_noise_write(diff, sink);
	diff_missing_write(diff, "; ", sink);
	sink_puts(sink, ".\n\n");
	write_side(page, DIFF_BEFORE, "- before: ");
	write_side(page, DIFF_AFTER, "- after: ");
	if (diff_captures_count_differences(diff)) {
		sink_puts(sink, "- **the captures differ** in ");
		diff_captures_write_keys(diff, sink);
		sink_char(sink, '\n');
	}
	sink_char(sink, '\n');
}

static void write_main_rows(const struct page *page)
{
	size_t count = page->rows.count;

	if (count)
		write_rows(page, 0, count < VISIBLE_ROWS ? count : VISIBLE_ROWS);
	else if (page->diff->is_graded)
		sink_puts(page->sink, "No function changed significantly.\n");
	else
		sink_printf(page->sink, "No function changed by %g points.\n",
			    page->diff->options.margin);
}

/* The names that rows have not in full. */
static void write_full_names(const struct page *page, struct sink *sink)
{
	for (size_t i = 0; i < page->rows.count; i++) {
		size_t index = page->rows.at[i];
		struct text name = strings_get(&page->names.strings, page->names.at.at[index].full);
		struct text cut = escape_first_characters(name, NAME_MAX);

		if (!short_names_is_short(&page->names, index))
			continue;
		sink_puts(sink, "- ");
		escape_markdown_code(sink, short_names_get(&page->names, index));
		sink_puts(sink, " is ");
		escape_markdown_code(sink, cut);
		sink_puts(sink, cut.length < name.length ? "…\n" : "\n");
	}
}

/* Parts of the details: what the summary calls them, and what they are. */
struct parts {
	struct sink summary, body;
};

/* Adds what was written to a part, if anything was. */
static void add_part(struct parts *parts, const char *name, struct sink *text)
{
	if (text->used) {
		sink_printf(&parts->summary, "%s%s", parts->summary.used ? ", " : "", name);
		sink_char(&parts->body, '\n');
		sink_text(&parts->body, sink_memory(text));
	}
	text->used = 0;
}

static void fill_parts(const struct page *page, struct parts *parts)
{
	size_t count = page->rows.count;
	struct page details = *page;
	struct sink text;
	char name[64];

	sink_init_memory(&text);
	details.sink = &text;
	if (count > VISIBLE_ROWS) {
		write_rows(&details, VISIBLE_ROWS, count);
		snprintf(name, sizeof(name), "%zu more %s", count - VISIBLE_ROWS,
			 count == VISIBLE_ROWS + 1 ? "function" : "functions");
		add_part(parts, name, &text);
	}
	diff_captures_write_differences(page->diff, "- ", escape_markdown_code, &text);
	add_part(parts, "differences between the captures", &text);
	diff_notes_write(page->diff, "- ", escape_markdown_code, &text);
	add_part(parts, "what was compared with what", &text);
	write_full_names(page, &text);
	add_part(parts, "names in full", &text);
	sink_deinit(&text);
}

/* GitHub reads markdown within HTML where blank lines part the two. */
static void write_details(const struct page *page)
{
	struct parts parts;

	sink_init_memory(&parts.summary);
	sink_init_memory(&parts.body);
	fill_parts(page, &parts);
	if (parts.body.used) {
		sink_puts(page->sink, "\n<details><summary>");
		sink_text(page->sink, sink_memory(&parts.summary));
		sink_puts(page->sink, "</summary>\n");
		sink_text(page->sink, sink_memory(&parts.body));
		sink_puts(page->sink, "\n</details>\n");
	}
	sink_deinit(&parts.summary);
	sink_deinit(&parts.body);
}

void diff_markdown_write(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	struct page page;

	page_init(&page, diff, limit, sink);
	write_head(&page);
	write_main_rows(&page);
	write_details(&page);
	page_deinit(&page);
}
