/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_text.h"

#include <math.h>

#include "profile/event_name.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/svg/svg_header.h"

/* If more than this multiple of the data is needed, the number is not printed. */
#define NEEDED_MAX 1e6
#define MILLION    1e6
#define SECOND_NS  1e9

static const struct {
	const char *words, *key;
} works[] = {
	[DIFF_WORK_RUN] = { "", "run" },
	[DIFF_WORK_OPERATION] = { "per operation", "operation" },
	[DIFF_WORK_SECOND] = { "per wall second", "wall second" },
	[DIFF_WORK_CPU_SECOND] = { "per CPU second", "CPU second" },
	[DIFF_WORK_SAMPLE] = { "per sample", "sample" },
	[DIFF_WORK_SCALED_RUN] = { "with before scaled", "scaled run" },
};

const char *diff_text_work(const struct diff *diff)
{
	return works[diff_work_of(diff)].words;
}

const char *diff_text_work_key(const struct diff *diff)
{
	return works[diff_work_of(diff)].key;
}

bool diff_text_has_costs(const struct diff *diff)
{
	enum diff_work work = diff_work_of(diff);

	return diff_has_costs(diff) && (work == DIFF_WORK_OPERATION || work == DIFF_WORK_SECOND);
}

static bool is_cpu_clock(struct text event)
{
	struct text base = event_name_parse(event).base;

	return text_is(base, "cpu-clock") || text_is(base, "task-clock");
}

/* Writes what weights measure: "CPU time", "cycles". */
static void diff_text_subject(const struct diff *diff, struct sink *sink)
{
	const struct profile *profile = &diff->profile;
	struct text event = strings_get(profile->strings, profile->event_name);
	struct svg_weights weights = svg_weights_of(profile);
	struct text unit = svg_weights_unit(&weights);
	/* The event's name without modifiers: cycles, not cycles:ppp. */
	struct text base = event_name_parse(unit).base;

	if (profile->unit == UNIT_NANOSECONDS && profile->weight_name.i == STR_EMPTY.i &&
	    is_cpu_clock(event))
		sink_puts(sink, "CPU time");
	else
		escape_terminal(sink, base.length ? base : unit);
}

void diff_text_cost_subject(const struct diff *diff, struct sink *sink)
{
	diff_text_subject(diff, sink);
	if (*diff_text_work(diff))
		sink_printf(sink, " %s", diff_text_work(diff));
}

static void write_duration(double time_ns, struct sink *sink)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } };
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(units) && time_ns < units[i].unit)
		i++;
	time_ns /= units[i].unit;
	sink_printf(sink, "%.*f %s",
		    time_ns < 10    ? 2
		    : time_ns < 100 ? 1
				    : 0,
		    time_ns, units[i].name);
}

void diff_text_cost(const struct diff *diff, double value, struct sink *sink)
{
	enum weight_unit unit = diff->profile.unit;

	if (unit == UNIT_NANOSECONDS && diff_work_of(diff) != DIFF_WORK_SECOND)
		write_duration(value, sink);
	else
		sink_printf(sink, "%.4g",
			    unit == UNIT_NANOSECONDS  ? value / SECOND_NS
			    : unit == UNIT_MILLIONTHS ? value / MILLION
						      : value);
}

void diff_text_cost_percent(const struct diff_cost *cost, struct sink *sink)
{
	if (!isfinite(cost->percent))
		sink_puts(sink, "new");
	else if (cost->percent <= -100)
		sink_puts(sink, "gone");
	else
		sink_printf(sink, "%+.1f%%", cost->percent);
}

void diff_text_right(struct sink *sink, struct text text, size_t width)
{
	size_t length = 0;

	/* UTF-8 continuation bytes do not take a column. */
	for (uint32_t i = 0; i < text.length; i++)
		length += ((unsigned char)text.at[i] & 0xc0) != 0x80;
	sink_printf(sink, "%*s", length < width ? (int)(width - length) : 1, "");
	sink_text(sink, text);
}

void diff_text_names_init(struct short_names *names, const struct diff *diff)
{
	short_names_init(names);
	for (size_t i = 0; i < diff->functions.count; i++)
		short_names_add(names,
				profile_frame_name(&diff->profile,
						   (frame_id){ diff->functions.at[i].frame }));
	short_names_finish(names);
}

void diff_text_side(const struct diff *diff, enum diff_side side, struct sink *sink)
{
	struct profile shown = diff_view_of(diff, side);
	struct svg_weights weights = svg_weights_of(&shown);
	bool has_samples = diff->has_sample_counts[side] && shown.unit != UNIT_MILLIONTHS;

	if (has_samples) {
		number_grouped(sink, diff->sample_count[side]);
		sink_puts(sink, diff->sample_count[side] == 1 ? " sample" : " samples");
	}
	if (shown.unit != UNIT_SAMPLES) {
		sink_puts(sink, has_samples ? ", " : "");
		svg_weights_write(&weights, diff->total[side], sink);
	} else if (!has_samples) {
		sink_puts(sink, "weight ");
		number_grouped(sink, diff->total[side]);
	}
	if (diff->run_count[side] > 1)
		sink_printf(sink, ", %u runs", diff->run_count[side]);
}

void diff_text_terms(const struct diff *diff, struct sink *sink)
{
	sink_puts(sink, diff_normalisation_text(diff->options.normalising.by));
	if (diff_has_two_units(diff))
		sink_puts(sink, ", because the totals have different units");
	if (diff->options.alignment.naming == DIFF_NAMING_CUT)
		sink_puts(sink, "; names are truncated at the first parenthesis, as on one side");
	if (diff->is_graded)
		sink_printf(sink, "; changes at %.6g%% confidence", diff->options.confidence * 100);
}

void diff_text_noise(const struct diff *diff, struct sink *sink)
{
	if (!diff->is_graded)
		sink_puts(sink, "not graded: the number of samples is unknown");
	else
		sink_puts(sink, diff_has_runs(diff) ? "noise estimated from runs"
				: diff->freedom     ? "noise estimated from time bins"
						    : "noise of independent samples assumed (few "
						      "samples, or no timestamps)");
	if (diff_assumes_spread(diff))
		sink_printf(sink, "; run-to-run spread of %g%% assumed (--assume-spread)",
			    diff_assumed_function_spread(diff) * 100);
}

static void write_missing_side(const struct diff *diff, enum diff_side side, struct sink *sink)
{
	sink_puts(sink, diff_side_names[side]);
	sink_puts(sink, " is an SVG that lacks ");
	if (diff->missing[side] || !diff->lacks_narrow[side]) {
		sink_puts(sink, diff->lacks_narrow[side] ? "at least " : "");
		number_percent(sink, diff->missing[side], diff->total[side]);
		sink_puts(sink, " of its stacks");
	} else {
		sink_puts(sink, "frames that were too narrow to draw");
	}
}

void diff_text_missing(const struct diff *diff, const char *separator, struct sink *sink)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		if (!diff->missing[side] && !(diff->lacks_narrow[side] && diff->is_folded))
			continue;
		sink_puts(sink, separator);
		write_missing_side(diff, (enum diff_side)side, sink);
		sink_puts(
			sink,
			diff->has_exact_functions
				? ": functions are compared by their exact sums"
				: ": stacks that this SVG may lack are omitted on the other side, "
				  "too");
	}
}

void diff_text_percent(const struct diff *diff, const struct diff_measure *measure,
		       struct sink *sink)
{
	if (!measure->weight[DIFF_BEFORE])
		sink_puts(sink, measure->weight[DIFF_AFTER] ? "new" : "none");
	else if (!measure->weight[DIFF_AFTER])
		sink_puts(sink, "gone");
	else
		sink_printf(sink, "%+.1f%%", diff_percent(diff, measure));
}

void diff_text_share(const struct diff *diff, const struct diff_measure *measure,
		     enum diff_side side, unsigned width, struct sink *sink)
{
	uint64_t weight = measure->weight[side];

	/*
	 * If normalised by total, weights need not be scaled to the AFTER side, so nothing is
	 * rounded.
	 */
	if (side == DIFF_BEFORE && diff->options.normalising.by == DIFF_BY_TOTAL) {
		number_percent_padded(sink, weight, diff->total[side], width);
		return;
	}
	number_percent_padded(sink, side == DIFF_BEFORE ? diff_scaled(diff, weight) : weight,
			      diff->total[DIFF_AFTER], width);
}

void diff_text_interval(const struct diff_interval *interval, int digits, struct sink *sink)
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

void diff_text_verdict(const struct diff *diff, const struct diff_function *function,
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
	/*
	 * Advise more runs, because more samples of one run do not show the variation between runs.
	 */
	if (diff_has_runs(diff) || diff_assumed_function_spread(diff) > 0)
		sink_printf(sink, ", needs %.0f runs", ceil(estimate->needed * runs));
	else
		sink_printf(sink, ", needs %.2gx samples", fmax(1.1, estimate->needed));
}
