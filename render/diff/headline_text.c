/* SPDX-License-Identifier: MIT */
#include "render/diff/headline_text.h"

#include <math.h>

#include "diff/diff_headline.h"
#include "diff/diff_verdict.h"
#include "render/diff/diff_text.h"
#include "render/escape.h"

/* Durations that differ by less than this, in percent, count as equal. */
#define DURATION_MARGIN 2

struct headline_writer {
	const struct diff *diff;
	diff_text_name *write_name;
	struct sink *sink;
	bool are_costs; /* changes are relative to the total before, not in points of share */
};

static const struct {
	const char *one, *several;
} keys[] = {
	[DIFF_KEY_FUNCTION] = { "function", "functions" },
	[DIFF_KEY_MODULE] = { "DSO", "DSOs" },
	[DIFF_KEY_GROUP] = { "thread name", "thread names" },
	[DIFF_KEY_LINE] = { "source line", "source lines" },
};

static const char *key_of(const struct diff *diff, size_t count)
{
	enum diff_key key = diff->options.alignment.key;

	return count == 1 ? keys[key].one : keys[key].several;
}

static void write_change(const struct headline_writer *writer, double percent,
			 enum diff_verdict verdict, const struct diff_interval *interval)
{
	struct sink *sink = writer->sink;

	if (verdict == DIFF_UNCHANGED) {
		sink_printf(sink, "unchanged within ±%g%%", writer->diff->options.margin);
		return;
	}
	sink_printf(sink, "%s%+.1f%% ", verdict == DIFF_UNCERTAIN ? "uncertain: " : "",
		    /* Not -0.0. */
		    fabs(percent) < 0.05 ? 0 : percent);
	diff_text_interval(interval, 1, sink);
}

/* Returns how much longer the runs of the AFTER side are, in percent. */
static double find_longer(const struct diff *diff)
{
	double mean[DIFF_SIDES] = { 0 };

	for (size_t i = 0; i < diff->runs.count; i++) {
		const struct diff_run *run = &diff->runs.at[i];

		mean[run->side] += (double)run->time_ns / diff->run_count[run->side];
	}
	return 100 * (mean[DIFF_AFTER] / mean[DIFF_BEFORE] - 1);
}

/*
 * Writes whether durations differ, because more weight may mean either a longer capture of the same
 * load or a slower program.
 */
static void write_duration(const struct headline_writer *writer)
{
	const struct diff_total *rate = &writer->diff->per_second;
	struct sink *sink = writer->sink;
	double longer;

	if (!rate->is_known)
		return;
	longer = find_longer(writer->diff);
	if (fabs(longer) < DURATION_MARGIN) {
		sink_puts(sink, " in captures of equal length");
		return;
	}
	sink_printf(sink, " in captures that are %.1f%% %s (per wall second ", fabs(longer),
		    longer > 0 ? "longer" : "shorter");
	write_change(writer, rate->percent, rate->verdict, &rate->estimate.percent);
	sink_char(sink, ')');
}

static void write_total(const struct headline_writer *writer)
{
	const struct diff *diff = writer->diff;
	struct sink *sink = writer->sink;

	diff_text_cost_subject(diff, sink);
	sink_char(sink, ' ');
	write_change(writer, diff->overall_percent, diff->overall.verdict,
		     &diff->overall_estimate.percent);
	write_duration(writer);
	if (diff_assumes_total_spread(diff))
		sink_printf(sink, ", assuming that runs vary by %g%%",
			    diff->options.assumed_spread * 100);
}

/* Only the first of several costs says what it is relative to. */
static void write_points(const struct headline_writer *writer, double points,
			 const struct diff_interval *interval, bool is_first)
{
	int digits = fabs(points) < 1 ? 2 : 1;
	struct sink *sink = writer->sink;

	sink_printf(sink, "%+.*f", digits, points);
	sink_puts(sink, !writer->are_costs ? " pp" : is_first ? "% of the BEFORE total" : "%");
	if (!interval || !isfinite(interval->low) || !isfinite(interval->high))
		return;
	sink_char(sink, ' ');
	diff_text_interval(interval, digits, sink);
}

/* Names are shortened as in the table. */
static void write_parts(const struct headline_writer *writer)
{
	const struct diff_headline *headline = &writer->diff->headline;
	struct short_names names;

	diff_text_names_init(&names, writer->diff);
	for (size_t i = 0; i < headline->part_count; i++) {
		const struct diff_headline_part *part = &headline->parts[i];

		sink_puts(writer->sink, i ? ", " : ": ");
		writer->write_name(writer->sink, short_names_get(&names, part->function));
		sink_char(writer->sink, ' ');
		write_points(writer, part->points, &part->interval,
			     !i && headline->story != DIFF_STORY_OFFSET);
	}
	if (headline->count > headline->part_count)
		sink_printf(writer->sink, " and %zu more", headline->count - headline->part_count);
	short_names_deinit(&names);
}

/* "94% of", "all of" */
static void write_most(double percent, struct sink *sink)
{
	if (percent >= 99.5)
		sink_puts(sink, "all of");
	else
		sink_printf(sink, "%.0f%% of", percent);
}

static void write_explained(const struct headline_writer *writer)
{
	const struct diff_headline *headline = &writer->diff->headline;
	const char *what = key_of(writer->diff, headline->count);
	bool is_one = headline->count == 1;
	struct sink *sink = writer->sink;

	sink_printf(sink, "%zu %s", headline->count, what);
	if (headline->story == DIFF_STORY_EXPLAINED) {
		sink_puts(sink, is_one ? " explains " : " explain ");
		write_most(headline->explained, sink);
		sink_puts(sink, " it");
	} else {
		sink_puts(sink, is_one ? " comes to " : " come to ");
		write_points(writer, headline->together, NULL, true);
		sink_puts(sink, ", all others to ");
		write_points(writer, headline->rest, NULL, false);
	}
	write_parts(writer);
}

static void write_moved(const struct headline_writer *writer)
{
	const struct diff *diff = writer->diff;
	const struct diff_headline *headline = &diff->headline;

	sink_printf(writer->sink, "%zu %s %s for ", headline->count, key_of(diff, headline->count),
		    headline->count == 1 ? "accounts" : "account");
	write_most(headline->explained, writer->sink);
	sink_puts(writer->sink, " the change of shares");
	write_parts(writer);
}

static void write_changed(const struct headline_writer *writer)
{
	size_t count = writer->diff->headline.count;

	sink_printf(writer->sink, "%zu %s changed", count, key_of(writer->diff, count));
	write_parts(writer);
}

static void write_ungraded(const struct headline_writer *writer)
{
	const struct diff *diff = writer->diff;
	/* The total comes first, if it is known. */
	bool is_first = !diff->headline.has_total;

	if (diff->headline.count) {
		sink_printf(writer->sink,
			    "%cargest changes, not graded because the number of samples is unknown",
			    is_first ? 'L' : 'l');
		write_parts(writer);
		return;
	}
	sink_printf(writer->sink,
		    "%co %s changed by %g pp, not graded because the number of samples is unknown",
		    is_first ? 'N' : 'n', key_of(diff, 1), diff->options.margin);
}

/* "No function changed significantly; CPU time unchanged within ±0.5%" */
static void write_nothing(const struct headline_writer *writer)
{
	const struct diff *diff = writer->diff;
	const char *what = key_of(diff, 1);

	/* All functions may have changed by the same factor. */
	if (diff->headline.has_total && diff_verdict_is_change(diff->overall.verdict)) {
		write_total(writer);
		sink_printf(writer->sink, "; no %s changed its %s significantly", what,
			    diff_has_shares(diff) ? "share" : "cost");
		sink_puts(writer->sink, diff->headline.part_count ? "; largest part" : "");
		write_parts(writer);
		return;
	}
	sink_printf(writer->sink, "No %s changed significantly", what);
	if (diff->headline.has_total) {
		sink_puts(writer->sink, "; ");
		write_total(writer);
	}
}

static void write_callers(const struct headline_writer *writer)
{
	size_t count = writer->diff->headline.count;

	sink_printf(writer->sink, "%zu %s changed only through functions that %s", count,
		    key_of(writer->diff, count), count == 1 ? "it calls" : "they call");
	write_parts(writer);
}

static void (*const write_functions[DIFF_STORY_COUNT])(const struct headline_writer *writer) = {
	[DIFF_STORY_NOTHING] = write_nothing,     [DIFF_STORY_EXPLAINED] = write_explained,
	[DIFF_STORY_OFFSET] = write_explained,    [DIFF_STORY_MOVED] = write_moved,
	[DIFF_STORY_CHANGED] = write_changed,     [DIFF_STORY_CALLERS] = write_callers,
	[DIFF_STORY_NOT_GRADED] = write_ungraded,
};

void headline_text_write(const struct diff *diff, diff_text_name *write_name, struct sink *sink)
{
	const struct diff_headline *headline = &diff->headline;
	const struct headline_writer writer = {
		.diff = diff,
		.write_name = write_name,
		.sink = sink,
		.are_costs = headline->story == DIFF_STORY_EXPLAINED ||
			     headline->story == DIFF_STORY_OFFSET ||
			     headline->story == DIFF_STORY_NOTHING,
	};
	size_t shifted = headline->shifted_count;

	if (headline->has_total && write_functions[headline->story] != write_nothing) {
		write_total(&writer);
		sink_puts(sink, "; ");
	}
	write_functions[headline->story](&writer);
	if (!headline->has_total)
		sink_puts(sink, diff_has_two_units(diff)
					? "; shares only, because the totals have different units"
					: "; shares only, because the captures do not record their "
					  "duration");
	if (shifted)
		sink_printf(sink, "; %zu %s only shifted in share", shifted, key_of(diff, shifted));
}

static void write_json_total(const char *key, enum diff_verdict verdict, double percent,
			     const struct diff_estimate *estimate, struct json *json)
{
	json_open_object(json, key);
	json_text(json, "verdict", text_of(diff_verdict_name(verdict)));
	json_number(json, "percent", percent);
	json_range(json, "interval", estimate->percent.low, estimate->percent.high);
	json_close_object(json);
}

static void write_json_parts(const struct diff *diff, struct json *json)
{
	const struct diff_headline *headline = &diff->headline;

	json_open_array(json, "parts");
	for (size_t i = 0; i < headline->part_count; i++) {
		const struct diff_headline_part *part = &headline->parts[i];
		const struct diff_function *function = &diff->functions.at[part->function];

		json_open_object(json, NULL);
		json_text(json, "name",
			  profile_frame_name(&diff->profile, (frame_id){ function->frame }));
		json_number(json, "points", part->points);
		json_range(json, "interval", part->interval.low, part->interval.high);
		json_close_object(json);
	}
	json_close_array(json);
}

void headline_text_json(const struct diff *diff, struct json *json)
{
	const struct diff_headline *headline = &diff->headline;
	struct sink text;

	json_open_object(json, "headline");
	sink_init_memory(&text);
	headline_text_write(diff, sink_text, &text);
	json_text(json, "text", sink_memory(&text));
	sink_deinit(&text);
	json_text(json, "story", text_of(diff_story_name(headline->story)));
	json_text(json, "per", text_of(headline->has_total ? diff_text_work_key(diff) : "share"));
	if (headline->has_total)
		write_json_total("total", diff->overall.verdict, diff->overall_percent,
				 &diff->overall_estimate, json);
	if (headline->has_total && diff->per_second.is_known)
		write_json_total("per_wall_second", diff->per_second.verdict,
				 diff->per_second.percent, &diff->per_second.estimate, json);
	json_number(json, "explained", headline->explained);
	json_u64(json, "functions", headline->count);
	json_u64(json, "shifted", headline->shifted_count);
	write_json_parts(diff, json);
	json_close_object(json);
}
