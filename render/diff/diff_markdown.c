/* SPDX-License-Identifier: MIT */
/*
 * Writes a comparison as Markdown, for a code review: at most 25 lines, with the rest in a details
 * block.
 *
 *     **cycles +17.1% [+12.0, +22.4]; 1 function explains 77% of it: `lookup` +13.1% of the BEFORE
 *     total [+12.0, +14.2].**
 *
 *     Profile, before and after: `cycles`; normalised by total: each side is 100%
 *
 *     - before: `v1.data`, 10.0 s long: `perf record -g ./app`; 12,345 samples
 *     - after: `v2.data`, 10.0 s long: `perf record -g ./app`; 12,300 samples
 *
 *     | function | change, points | self | total | verdict |
 *     |---|---:|---:|---:|---|
 *     | `lookup` | +13.10 [+9.82, +16.40] | 1.60% → 14.70% (+818.8%) | ... | more (p = 0.00015) |
 *
 *     <details><summary>8 more functions</summary>
 */
#include <math.h>

#include "render/diff/captures_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/diff_output.h"
#include "render/diff/diff_text.h"
#include "render/diff/headline_text.h"
#include "render/escape.h"

/* The number of rows outside the details, so that a review comment has at most 25 lines. */
#define VISIBLE_ROWS 12
/* Maximum length of a full name, in characters. */
#define NAME_MAX 2000

struct markdown_page {
	const struct diff *diff;
	struct short_names names;
	VEC(size_t) rows; /* indexes of functions with a row */
	struct sink *sink;
};

/* Whether a function gets a row, because its change is significant or, without grades, large. */
static bool has_row(const struct diff *diff, const struct diff_function *function)
{
	if (diff->is_graded)
		return diff_verdict_is_change(function->verdict);
	return fabs(diff_points(diff, &function->self)) >= diff->options.margin ||
	       fabs(diff_points(diff, &function->total)) >= diff->options.margin;
}

static void page_init(struct markdown_page *page, const struct diff *diff, uint64_t limit,
		      struct sink *sink)
{
	uint64_t most = limit ? limit : DIFF_TABLE_ROWS;

	*page = (struct markdown_page){ .diff = diff, .sink = sink };
	diff_text_names_init(&page->names, diff);
	for (size_t i = 0; i < diff->functions.count && page->rows.count < most; i++)
		if (has_row(diff, &diff->functions.at[i]))
			vec_push(&page->rows, i);
}

static void page_deinit(struct markdown_page *page)
{
	short_names_deinit(&page->names);
	vec_free(&page->rows);
}

static void write_cells(const struct diff *diff, const struct diff_measure *measure,
			struct sink *sink)
{
	sink_char(sink, ' ');
	diff_text_share(diff, measure, DIFF_BEFORE, 0, sink);
	sink_puts(sink, " → ");
	diff_text_share(diff, measure, DIFF_AFTER, 0, sink);
	sink_puts(sink, " (");
	diff_text_percent(diff, measure, sink);
	sink_puts(sink, ") |");
}

static void write_cost(const struct diff *diff, const struct diff_function *function,
		       struct sink *sink)
{
	struct diff_cost cost =
		diff_cost_of(diff, diff_judged_measure(function), diff_judged_estimate(function));

	sink_char(sink, ' ');
	diff_text_cost(diff, cost.value[DIFF_BEFORE], sink);
	sink_puts(sink, " → ");
	diff_text_cost(diff, cost.value[DIFF_AFTER], sink);
	sink_puts(sink, " (");
	diff_text_cost_percent(&cost, sink);
	if (diff->is_graded) {
		sink_char(sink, ' ');
		diff_text_interval(&cost.percent_interval, 1, sink);
	}
	sink_puts(sink, ") |");
}

static void write_row(const struct markdown_page *page, size_t index)
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
		diff_text_interval(&diff_judged_estimate(function)->points, 2, sink);
	}
	sink_puts(sink, " |");
	if (diff_text_has_costs(diff))
		write_cost(diff, function, sink);
	write_cells(diff, &function->self, sink);
	write_cells(diff, &function->total, sink);
	sink_char(sink, ' ');
	diff_text_verdict(diff, function, sink);
	if (diff->is_graded)
		sink_printf(sink, " (p = %.2g)", diff_p_value(function));
	sink_puts(sink, " |\n");
}

static void write_columns(const struct diff *diff, struct sink *sink)
{
	bool has_costs = diff_text_has_costs(diff);

	sink_puts(sink, "| function | change, points |");
	if (has_costs) {
		sink_char(sink, ' ');
		diff_text_cost_subject(diff, sink);
		sink_puts(sink, " |");
	}
	sink_puts(sink, " self | total | verdict |\n");
	sink_puts(sink,
		  has_costs ? "|---|---:|---:|---:|---:|---|\n" : "|---|---:|---:|---:|---|\n");
}

static void write_rows(const struct markdown_page *page, size_t first, size_t end)
{
	write_columns(page->diff, page->sink);
	for (size_t i = first; i < end; i++)
		write_row(page, page->rows.at[i]);
}

static void write_side(const struct markdown_page *page, enum diff_side side, const char *begin)
{
	sink_puts(page->sink, begin);
	captures_text_side(page->diff, side, escape_markdown_code, page->sink);
	sink_puts(page->sink, "; ");
	diff_text_side(page->diff, side, page->sink);
	sink_char(page->sink, '\n');
}

static void write_head(const struct markdown_page *page)
{
	const struct diff *diff = page->diff;
	struct sink *sink = page->sink;

	sink_puts(sink, "**");
	headline_text_write(diff, escape_markdown_code, sink);
	sink_puts(sink, ".**\n\nProfile, before and after: ");
	escape_markdown_code(sink, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(sink, "; ");
	diff_text_terms(diff, sink);
	sink_puts(sink, "; ");
	diff_text_noise(diff, sink);
	diff_text_missing(diff, "; ", sink);
	sink_puts(sink, ".\n\n");
	write_side(page, DIFF_BEFORE, "- before: ");
	write_side(page, DIFF_AFTER, "- after: ");
	if (captures_text_count(diff)) {
		sink_puts(sink, "- **the captures differ** in ");
		captures_text_keys(diff, sink);
		sink_char(sink, '\n');
	}
	sink_char(sink, '\n');
}

static void write_main_rows(const struct markdown_page *page)
{
	size_t count = page->rows.count;

	if (count)
		write_rows(page, 0, count < VISIBLE_ROWS ? count : VISIBLE_ROWS);
	else if (page->diff->is_graded)
		sink_puts(page->sink, "No function changed significantly.\n");
	else
		sink_printf(page->sink, "No function changed by %g percentage points or more.\n",
			    page->diff->options.margin);
}

/* Lists the full names of the functions whose names are shortened. */
static void write_full_names(const struct markdown_page *page, struct sink *sink)
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

/* The sections of the details: their titles, and their contents. */
struct details {
	struct sink summary, body;
};

/* Adds a section unless its text is empty. */
static void add_section(struct details *details, const char *name, struct sink *text)
{
	if (text->used) {
		sink_printf(&details->summary, "%s%s", details->summary.used ? ", " : "", name);
		sink_char(&details->body, '\n');
		sink_text(&details->body, sink_memory(text));
	}
	text->used = 0;
}

static void fill_details(const struct markdown_page *page, struct details *details)
{
	size_t count = page->rows.count;
	struct markdown_page inner = *page;
	struct sink text;
	char name[64];

	sink_init_memory(&text);
	inner.sink = &text;
	if (count > VISIBLE_ROWS) {
		write_rows(&inner, VISIBLE_ROWS, count);
		snprintf(name, sizeof(name), "%zu more %s", count - VISIBLE_ROWS,
			 count == VISIBLE_ROWS + 1 ? "function" : "functions");
		add_section(details, name, &text);
	}
	captures_text_differences(page->diff, "- ", escape_markdown_code, &text);
	add_section(details, "differences between the captures", &text);
	diff_notes_write(page->diff, "- ", escape_markdown_code, &text);
	add_section(details, "how names were matched", &text);
	write_full_names(page, &text);
	add_section(details, "full names", &text);
	sink_deinit(&text);
}

/* GitHub interprets Markdown within HTML if blank lines separate the two. */
static void write_details(const struct markdown_page *page)
{
	struct details details;

	sink_init_memory(&details.summary);
	sink_init_memory(&details.body);
	fill_details(page, &details);
	if (details.body.used) {
		sink_puts(page->sink, "\n<details><summary>");
		sink_text(page->sink, sink_memory(&details.summary));
		sink_puts(page->sink, "</summary>\n");
		sink_text(page->sink, sink_memory(&details.body));
		sink_puts(page->sink, "\n</details>\n");
	}
	sink_deinit(&details.summary);
	sink_deinit(&details.body);
}

void diff_markdown_write(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	struct markdown_page page;

	page_init(&page, diff, limit, sink);
	write_head(&page);
	write_main_rows(&page);
	write_details(&page);
	page_deinit(&page);
}
