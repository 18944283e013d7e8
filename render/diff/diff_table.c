/* SPDX-License-Identifier: MIT */
/*
 * Writes a comparison as a table of functions, for a terminal:
 *
 *     #   self   before    after   total   before    after        p           interval verdict  function
 *        +2.04   30.00%   32.04%   +2.04   30.00%   32.04%  0.00041*    [+0.42, +3.66] more     parse_header
 */
#include <math.h>

#include "diff/diff_verdict.h"
#include "render/diff/captures_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/diff_output.h"
#include "render/diff/diff_text.h"
#include "render/diff/headline_text.h"
#include "render/escape.h"

static const char *const key_names[] = {
	[DIFF_KEY_FUNCTION] = "function",
	[DIFF_KEY_MODULE] = "dso",
	[DIFF_KEY_GROUP] = "comm",
	[DIFF_KEY_LINE] = "srcline",
};

static void write_verdict_columns(const struct diff *diff, const struct diff_function *function,
				  struct sink *sink)
{
	char text[32];

	if (!diff->is_graded) {
		sink_puts(sink, "        -                   not graded");
		return;
	}
	snprintf(text, sizeof(text), "%.2g", diff_p_value(function));
	sink_printf(sink, "%9s%c", text, diff_verdict_is_change(function->verdict) ? '*' : ' ');
	snprintf(text, sizeof(text), "[%+.2f, %+.2f]", diff_judged_estimate(function)->points.low,
		 diff_judged_estimate(function)->points.high);
	sink_printf(sink, "%18s %-10s", text, diff_verdict_name(function->verdict));
}

static void write_measure(const struct diff *diff, const struct diff_measure *measure,
			  struct sink *sink)
{
	sink_printf(sink, "%+8.2f", diff_points(diff, measure));
	diff_text_share(diff, measure, DIFF_BEFORE, 9, sink);
	diff_text_share(diff, measure, DIFF_AFTER, 9, sink);
}

static void write_cost_value(const struct diff *diff, double value, struct sink *sink)
{
	struct sink text;

	sink_init_memory(&text);
	diff_text_cost(diff, value, &text);
	diff_text_right(sink, sink_memory(&text), 10);
	sink_deinit(&text);
}

static void write_cost_columns(const struct diff *diff, const struct diff_function *function,
			       struct sink *sink)
{
	struct diff_cost cost =
		diff_cost_of(diff, diff_judged_measure(function), diff_judged_estimate(function));
	struct sink change;

	write_cost_value(diff, cost.value[DIFF_BEFORE], sink);
	write_cost_value(diff, cost.value[DIFF_AFTER], sink);
	sink_init_memory(&change);
	diff_text_cost_percent(&cost, &change);
	diff_text_right(sink, sink_memory(&change), 9);
	sink_deinit(&change);
}

static void write_captures(const struct diff *diff, struct sink *sink)
{
	sink_puts(sink, "# before: ");
	captures_text_side(diff, DIFF_BEFORE, escape_terminal, sink);
	sink_puts(sink, "\n# after: ");
	captures_text_side(diff, DIFF_AFTER, escape_terminal, sink);
	sink_char(sink, '\n');
	captures_text_differences(diff, "# ", escape_terminal, sink);
}

static void write_rows(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	uint64_t most = limit ? limit : DIFF_TABLE_ROWS;
	struct short_names names;

	diff_text_names_init(&names, diff);
	for (size_t i = 0; i < diff->functions.count && i < most; i++) {
		const struct diff_function *function = &diff->functions.at[i];

		write_measure(diff, &function->self, sink);
		write_measure(diff, &function->total, sink);
		write_verdict_columns(diff, function, sink);
		if (diff_text_has_costs(diff))
			write_cost_columns(diff, function, sink);
		sink_char(sink, ' ');
		escape_terminal(sink, short_names_get(&names, i));
		sink_char(sink, '\n');
	}
	short_names_deinit(&names);
}

void diff_table_write(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	sink_puts(sink, "# ");
	headline_text_write(diff, escape_terminal, sink);
	sink_char(sink, '\n');
	write_captures(diff, sink);
	sink_puts(sink, "# event ");
	escape_terminal(sink, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(sink, ": before ");
	diff_text_side(diff, DIFF_BEFORE, sink);
	sink_puts(sink, "; after ");
	diff_text_side(diff, DIFF_AFTER, sink);
	sink_puts(sink, "\n# ");
	diff_text_terms(diff, sink);
	if (diff->is_graded)
		sink_printf(sink, " are marked *; unchanged means within ±%g points",
			    diff->options.margin);
	if (diff_text_has_costs(diff)) {
		sink_puts(sink, "\n# cost: ");
		diff_text_cost_subject(diff, sink);
		sink_puts(sink, ", of self or total, whichever the verdict refers to");
	}
	sink_puts(sink, "\n# ");
	diff_text_noise(diff, sink);
	if (!diff->is_graded)
		sink_puts(sink, "; use --assume-samples if weights are sample counts");
	diff_text_missing(diff, "\n# ", sink);
	sink_char(sink, '\n');
	diff_notes_write(diff, "# ", escape_terminal, sink);
	sink_puts(sink, "#   self   before    after   total   before    after        p  "
			"         interval verdict     ");
	if (diff_text_has_costs(diff))
		sink_puts(sink, "     cost     after   change ");
	sink_puts(sink, key_names[diff->options.alignment.key]);
	sink_char(sink, '\n');
	write_rows(diff, limit, sink);
}
