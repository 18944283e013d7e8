/* SPDX-License-Identifier: MIT */
#include "render/page/page_table.h"

#include "profile/tree/function_sums.h"
#include "render/diff/diff_text.h"
#include "render/escape.h"
#include "render/number.h"

/* Maximum number of rows, which fill about one printed page. */
#define ROWS_MAX 50u

struct page_function {
	const struct profile *profile;
	uint32_t frame;
	struct function_sum sum;
};

static int compare(const void *a, const void *b)
{
	const struct page_function *left = a;
	const struct page_function *right = b;
	int order;

	if (left->sum.self != right->sum.self)
		return left->sum.self > right->sum.self ? -1 : 1;
	if (left->sum.total != right->sum.total)
		return left->sum.total > right->sum.total ? -1 : 1;
	order = text_compare(profile_frame_name(left->profile, (frame_id){ left->frame }),
			     profile_frame_name(right->profile, (frame_id){ right->frame }));
	return order ? order : (left->frame > right->frame) - (left->frame < right->frame);
}

static void write_weight(const struct profile *profile, uint64_t value, struct sink *sink)
{
	sink_puts(sink, "<td>");
	number_weight(sink, value, profile->unit);
	sink_puts(sink, "</td><td>");
	number_percent(sink, value, profile->stacks.at[0].total);
	sink_puts(sink, "</td>");
}

static void write_path(struct text path, bool shows_homes, struct sink *sink)
{
	sink_puts(sink, "<td>");
	if (!shows_homes && escape_cut_home(&path))
		sink_char(sink, '~');
	escape_xml(sink, path);
	sink_puts(sink, "</td>");
}

static void write_row(const struct page_function *function, bool shows_homes, struct sink *sink)
{
	const struct profile *profile = function->profile;
	const struct frame *frame = &profile->frames.at[function->frame];
	const struct module *module = modules_get(profile->modules, frame->module);

	sink_puts(sink, "<tr>");
	write_weight(profile, function->sum.self, sink);
	write_weight(profile, function->sum.total, sink);
	sink_puts(sink, "<th scope=\"row\">");
	escape_xml(sink, strings_get(profile->strings, frame->name));
	sink_puts(sink, "</th>");
	write_path(strings_get(profile->strings, module->path), shows_homes, sink);
	write_path(strings_get(profile->strings, frame->source), shows_homes, sink);
	sink_puts(sink, "</tr>\n");
}

/* Returns the functions with a weight, sorted. The caller frees the list. */
static struct page_function *sort_functions(const struct profile *profile, size_t *count_ret)
{
	struct page_function *rows = memory_alloc(profile->frames.count + 1, sizeof(*rows));
	struct function_sums sums;
	size_t count = 0;

	function_sums_init(&sums, profile, NULL);
	for (uint32_t i = 0; i < profile->frames.count; i++)
		if (profile->frames.at[i].kind != FRAME_GROUP && sums.of_frame[i].total)
			rows[count++] = (struct page_function){ profile, i, sums.of_frame[i] };
	function_sums_deinit(&sums);
	qsort(rows, count, sizeof(*rows), compare);
	*count_ret = count;
	return rows;
}

void page_table_write(const struct profile *profile, bool shows_homes, struct sink *sink)
{
	size_t count;
	struct page_function *rows = sort_functions(profile, &count);
	size_t shown = count < ROWS_MAX ? count : ROWS_MAX;

	sink_puts(sink, "<table>\n<caption>");
	if (shown < count)
		sink_printf(sink, "The %zu functions with the largest self weight, of ", shown);
	number_grouped(sink, count);
	sink_puts(sink, count == 1 ? " function" : " functions");
	sink_puts(sink, "</caption>\n<thead><tr><th scope=\"col\">Self</th><th scope=\"col\">Share"
			"</th><th scope=\"col\">Total</th><th scope=\"col\">Share</th>"
			"<th scope=\"col\">Function</th><th scope=\"col\">Module</th>"
			"<th scope=\"col\">Source</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < shown; i++)
		write_row(&rows[i], shows_homes, sink);
	sink_puts(sink, "</tbody>\n</table>\n");
	memory_free(rows);
}

static void write_change(const struct diff *diff, const struct diff_measure *measure,
			 struct sink *sink)
{
	sink_printf(sink, "<td>%+.2f</td><td>", diff_points(diff, measure));
	diff_text_share(diff, measure, DIFF_BEFORE, 0, sink);
	sink_puts(sink, "</td><td>");
	diff_text_share(diff, measure, DIFF_AFTER, 0, sink);
	sink_puts(sink, "</td>");
}

static void write_diff_row(const struct diff *diff, const struct diff_function *function,
			   struct sink *sink)
{
	bool is_change = diff_verdict_is_change(function->verdict);

	sink_printf(sink, "<tr%s><td>", is_change || !diff->is_graded ? "" : " class=\"noise\"");
	if (diff->is_graded)
		sink_printf(sink, "%.2g", diff_p_value(function));
	else
		sink_char(sink, '-');
	sink_printf(sink, "</td><td>%s</td>", diff_verdict_name(function->verdict));
	write_change(diff, &function->self, sink);
	write_change(diff, &function->total, sink);
	sink_puts(sink, "<td>");
	if (diff->is_graded)
		diff_text_interval(&diff_judged_estimate(function)->points, 2, sink);
	sink_puts(sink, "</td><th scope=\"row\">");
	escape_xml(sink, profile_frame_name(&diff->profile, (frame_id){ function->frame }));
	sink_puts(sink, "</th></tr>\n");
}

void page_table_write_diff(const struct diff *diff, struct sink *sink)
{
	static const char *const titles[] = { "p",     "Verdict", "Self",  "Before",   "After",
					      "Total", "Before",  "After", "Interval", "Function" };
	size_t count = diff->functions.count;

	sink_puts(sink, "<table>\n<caption>");
	if (count > ROWS_MAX)
		sink_printf(sink, "The %u most important changes, of ", ROWS_MAX);
	number_grouped(sink, count);
	sink_puts(sink, count == 1 ? " function" : " functions");
	sink_puts(sink, "</caption>\n<thead><tr>");
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		sink_printf(sink, "<th scope=\"col\">%s</th>", titles[i]);
	sink_puts(sink, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < count && i < ROWS_MAX; i++)
		write_diff_row(diff, &diff->functions.at[i], sink);
	sink_puts(sink, "</tbody>\n</table>\n");
}
