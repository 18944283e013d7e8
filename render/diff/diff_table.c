/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_table.h"

#include <math.h>

#include "render/diff/captures_text.h"
#include "render/diff/cost_text.h"
#include "render/diff/headline_text.h"
#include "render/diff/diff_notes.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/short_name.h"
#include "render/svg/svg_header.h"

/* More than so many times the data is as good as never. */
#define NEEDED_MAX 1e6

static const char *const key_names[] = {
	[DIFF_KEY_FUNCTION] = "function",
	[DIFF_KEY_MODULE] = "dso",
	[DIFF_KEY_GROUP] = "comm",
	[DIFF_KEY_LINE] = "srcline",
};

void diff_side_write(const struct diff *diff, enum diff_side side, struct sink *sink)
{
	struct profile shown = diff_view_of(diff, side);
	bool has_samples = diff->has_sample_counts[side] && shown.unit != UNIT_MILLIONTHS;

	if (has_samples) {
		number_grouped(sink, diff->sample_count[side]);
		sink_puts(sink, diff->sample_count[side] == 1 ? " sample" : " samples");
	}
	if (shown.unit != UNIT_SAMPLES) {
		sink_puts(sink, has_samples ? ", " : "");
		svg_header_weight(&shown, diff->total[side], sink);
	} else if (!has_samples) {
		sink_puts(sink, "weight ");
		number_grouped(sink, diff->total[side]);
	}
	if (diff->run_count[side] > 1)
		sink_printf(sink, ", %u runs", diff->run_count[side]);
}

void diff_terms_write(const struct diff *diff, struct sink *sink)
{
	sink_puts(sink, diff_normalisation_text(diff->options.normalising.by));
	if (diff_has_two_units(diff))
		sink_puts(sink, ", as the totals are in different units");
	if (diff->options.alignment.naming == DIFF_NAMING_CUT)
		sink_puts(sink, "; names end at their first parenthesis, as one side has them");
	if (diff->is_graded)
		sink_printf(sink, "; changes at %.6g%% confidence", diff->options.confidence * 100);
}

void diff_noise_write(const struct diff *diff, struct sink *sink)
{
	if (!diff->is_graded)
		sink_puts(sink, "not graded: the number of samples is not known");
	else
		sink_puts(sink, diff_has_runs(diff) ? "noise by run"
				: diff->freedom     ? "noise by block of time"
						    : "noise as of independent samples (they are "
						      "few, or have no times)");
	if (diff_assumes_spread(diff))
		sink_printf(sink, "; run-to-run spread of %g%% assumed (--assume-spread)",
			    diff_assumed_function_spread(diff) * 100);
}

static void write_missing_side(const struct diff *diff, enum diff_side side, struct sink *sink)
{
	sink_puts(sink, side == DIFF_BEFORE ? "before" : "after");
	sink_puts(sink, " is a flame graph without ");
	if (diff->missing[side] || !diff->lacks_narrow[side]) {
		sink_puts(sink, diff->lacks_narrow[side] ? "at least " : "");
		number_percent(sink, diff->missing[side], diff->total[side]);
		sink_puts(sink, " of its stacks");
	} else {
		sink_puts(sink, "what was too narrow to be drawn");
	}
}

void diff_missing_write(const struct diff *diff, const char *separator, struct sink *sink)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		if (!diff->missing[side] && !(diff->lacks_narrow[side] && diff->is_folded))
			continue;
		sink_puts(sink, separator);
		write_missing_side(diff, (enum diff_side)side, sink);
		sink_puts(sink,
			  diff->has_exact_functions
				  ? ": functions are compared by what is known of all their stacks"
				  : ": what it may not show is left out of the other side, too");
	}
}

void diff_percent_write(const struct diff *diff, const struct diff_measure *measure,
			struct sink *sink)
{
	if (!measure->weight[DIFF_BEFORE])
		sink_puts(sink, measure->weight[DIFF_AFTER] ? "new" : "none");
	else if (!measure->weight[DIFF_AFTER])
		sink_puts(sink, "gone");
	else
		sink_printf(sink, "%+.1f%%", diff_percent(diff, measure));
}

void diff_share_write(const struct diff *diff, const struct diff_measure *measure,
		      enum diff_side side, unsigned width, struct sink *sink)
{
	uint64_t weight = measure->weight[side];

	/* Where each side is the whole of itself, nothing is lost to a division before this one. */
	if (side == DIFF_BEFORE && diff->options.normalising.by == DIFF_BY_TOTAL) {
		number_percent_padded(sink, weight, diff->total[side], width);
		return;
	}
	number_percent_padded(sink, side == DIFF_BEFORE ? diff_scaled(diff, weight) : weight,
			      diff->total[DIFF_AFTER], width);
}

void diff_interval_write(const struct diff_interval *interval, int digits, struct sink *sink)
{
	const double ends[] = { interval->low, interval->high };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		sink_puts(sink, i ? ", " : "[");
		if (isfinite(ends[i]))
			sink_printf(sink, "%+.*f", digits, ends[i]);
		else
			sink_puts(sink, "∞");
	}
	sink_char(sink, ']');
}

/* What a verdict means, beside its interval. */
void diff_verdict_write(const struct diff *diff, const struct diff_function *function,
			struct sink *sink)
{
	const struct diff_estimate *estimate = diff_judged_estimate(function);
	unsigned runs = diff->run_count[DIFF_BEFORE] > diff->run_count[DIFF_AFTER]
				? diff->run_count[DIFF_BEFORE]
				: diff->run_count[DIFF_AFTER];

	sink_puts(sink, diff_verdict_name(function->verdict));
	if (function->verdict == DIFF_UNCHANGED)
		sink_printf(sink, " within ±%g", diff->options.margin);
	if (function->verdict != DIFF_UNCERTAIN || estimate->needed > NEEDED_MAX)
		return;
	/* More samples of one run do not tell what the next is like. */
	if (diff_has_runs(diff) || diff_assumed_function_spread(diff) > 0)
		sink_printf(sink, ", needs %.0f runs", ceil(estimate->needed * runs));
	else
		sink_printf(sink, ", needs %.2gx samples", fmax(1.1, estimate->needed));
}

static void write_verdict_columns(const struct diff *diff, const struct diff_function *function,
				  struct sink *sink)
{
	double p_value = fmin(function->self.corrected_p_value, function->total.corrected_p_value);
	char text[32];

	if (!diff->is_graded) {
		sink_puts(sink, "        -                   not graded");
		return;
	}
	snprintf(text, sizeof(text), "%.2g", p_value);
	sink_printf(sink, "%9s%c", text, diff_verdict_is_change(function->verdict) ? '*' : ' ');
	snprintf(text, sizeof(text), "[%+.2f, %+.2f]", diff_judged_estimate(function)->points.low,
		 diff_judged_estimate(function)->points.high);
	sink_printf(sink, "%18s %-10s", text, diff_verdict_name(function->verdict));
}

static void write_measure(const struct diff *diff, const struct diff_measure *measure,
			  struct sink *sink)
{
	sink_printf(sink, "%+8.2f", diff_points(diff, measure));
	diff_share_write(diff, measure, DIFF_BEFORE, 9, sink);
	diff_share_write(diff, measure, DIFF_AFTER, 9, sink);
}

/* Right-aligned in ten columns, of characters that are one wide. */
static void write_cost_value(const struct diff *diff, double value, struct sink *sink)
{
	struct sink text;
	size_t wide;

	sink_init_memory(&text);
	diff_cost_write_value(diff, value, &text);
	wide = text.used;
	for (size_t i = 0; i < text.used; i++)
		wide -= (text.buffer[i] & 0xc0) == 0x80;
	sink_printf(sink, "%*s", wide < 10 ? (int)(10 - wide) : 1, "");
	sink_text(sink, sink_memory(&text));
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
	diff_cost_write_percent(&cost, &change);
	sink_printf(sink, " %8.*s", (int)change.used, change.buffer);
	sink_deinit(&change);
}

static void write_captures(const struct diff *diff, struct sink *sink)
{
	sink_puts(sink, "# before: ");
	diff_captures_write_side(diff, DIFF_BEFORE, escape_terminal, sink);
	sink_puts(sink, "\n# after: ");
	diff_captures_write_side(diff, DIFF_AFTER, escape_terminal, sink);
	sink_char(sink, '\n');
	diff_captures_write_differences(diff, "# ", escape_terminal, sink);
}

void diff_names_init(struct short_names *names, const struct diff *diff)
{
	short_names_init(names);
	for (size_t i = 0; i < diff->functions.count; i++)
		short_names_add(names,
				profile_frame_name(&diff->profile,
						   (frame_id){ diff->functions.at[i].frame }));
	short_names_finish(names);
}

static void write_rows(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	uint64_t most = limit ? limit : DIFF_TABLE_ROWS;
	struct short_names names;

	diff_names_init(&names, diff);
	for (size_t i = 0; i < diff->functions.count && i < most; i++) {
		const struct diff_function *function = &diff->functions.at[i];

		write_measure(diff, &function->self, sink);
		write_measure(diff, &function->total, sink);
		write_verdict_columns(diff, function, sink);
		if (diff_cost_is_asked(diff))
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
	diff_headline_write(diff, escape_terminal, sink);
	sink_char(sink, '\n');
	write_captures(diff, sink);
	sink_puts(sink, "# event ");
	escape_terminal(sink, strings_get(diff->profile.strings, diff->profile.event_name));
	sink_puts(sink, ": before ");
	diff_side_write(diff, DIFF_BEFORE, sink);
	sink_puts(sink, "; after ");
	diff_side_write(diff, DIFF_AFTER, sink);
	sink_puts(sink, "\n# ");
	diff_terms_write(diff, sink);
	if (diff->is_graded)
		sink_printf(sink, " are marked *, unchanged is within ±%g points",
			    diff->options.margin);
	if (diff_cost_is_asked(diff)) {
		sink_puts(sink, "\n# cost is ");
		diff_cost_write_what(diff, sink);
		sink_puts(sink, ", of what the verdict is of");
	}
	sink_puts(sink, "\n# ");
	diff_noise_write(diff, sink);
	if (!diff->is_graded)
		sink_puts(sink, "; if weights count samples, say --assume-samples");
	diff_missing_write(diff, "\n# ", sink);
	sink_char(sink, '\n');
	diff_notes_write(diff, "# ", escape_terminal, sink);
	sink_puts(sink, "#   self   before    after   total   before    after        p  "
			"         interval verdict     ");
	if (diff_cost_is_asked(diff))
		sink_puts(sink, "     cost     after   change ");
	sink_puts(sink, key_names[diff->options.alignment.key]);
	sink_char(sink, '\n');
	write_rows(diff, limit, sink);
}
