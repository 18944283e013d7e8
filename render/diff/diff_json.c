/* SPDX-License-Identifier: MIT */
/*
 * Writes a comparison as JSON. Its main members are:
 *
 *     {"headline": {"text", "story", "per", "total": {...}, "per_wall_second": {...}, "explained",
 *                   "functions", "shifted", "parts": [{"name", "points", "interval"}, ...]},
 *      "before": {"total": N, ...}, "after": {...}, "noise", "confidence", "unchanged_within",
 *      "total": {"verdict", "percent", "p_value", "interval", "spread_assumed"},
 *      "shift_percent": of unchanged code if something shifted, else null,
 *      "functions": [{"name", "self_before", "self_after", "total_before", "total_after",
 *                     "change", "p_value", "significant", "verdict", "verdict_of",
 *                     "self": {"verdict", "points", "percent", "p_value",
 *                              "interval": {"points": [LOW, HIGH], "percent": [LOW, HIGH]},
 *                              "needed", "cost": {"before", "after", "points", "percent", "interval"},
 *                              "runs": {"before": [...], "after": [...]}},
 *                     "total": {...}}, ...]}
 *
 * Weights are as captured. `change` is the change of the total in percentage points of the AFTER
 * side, with the BEFORE side normalised. p_value is the smaller of the p values of self and total,
 * corrected.
 */
#include <math.h>

#include "diff/diff_verdict.h"
#include "render/diff/captures_text.h"
#include "render/diff/diff_notes.h"
#include "render/diff/diff_output.h"
#include "render/diff/diff_text.h"
#include "render/diff/headline_text.h"
#include "render/json.h"
#include "render/number.h"

#define MILLION 1e6

static void write_side(const struct diff *diff, enum diff_side side, struct json *json)
{
	struct profile shown = diff_view_of(diff, side);
	uint64_t total = diff->total[side];

	json_open_object(json, diff_side_names[side]);
	json_weight(json, "total", total, shown.unit);
	json_weight(json, "normalised_total",
		    side == DIFF_BEFORE ? diff_scaled(diff, total) : total, diff->profile.unit);
	if (diff->missing[side])
		json_weight(json, "missing", diff->missing[side], shown.unit);
	if (diff->has_sample_counts[side])
		json_u64(json, "samples", diff->sample_count[side]);
	else
		json_number(json, "samples", NAN);
	json_u64(json, "runs", diff->run_count[side]);
	json_text(json, "event", strings_get(shown.strings, shown.event_name));
	json_unit(json, shown.unit);
	captures_text_json_side(diff, side, json);
	json_close_object(json);
}

static void write_interval(struct json *json, const struct diff_estimate *estimate)
{
	json_open_object(json, "interval");
	json_range(json, "points", estimate->points.low, estimate->points.high);
	json_range(json, "percent", estimate->percent.low, estimate->percent.high);
	json_close_object(json);
}

/* Writes the share of each run in percent, if a side has several runs. */
static void write_runs(const struct diff *diff, const uint64_t *columns, struct json *json)
{

	if (!diff_has_runs(diff))
		return;
	json_open_object(json, "runs");
	for (int side = 0; side < DIFF_SIDES; side++) {
		json_open_array(json, diff_side_names[side]);
		for (size_t i = 0; i < diff->runs.count; i++)
			if ((int)diff->runs.at[i].side == side)
				json_number(json, NULL, diff_run_percent(diff, columns, i));
		json_close_array(json);
	}
	json_close_object(json);
}

static void write_cost(const struct diff *diff, const struct diff_measure *measure,
		       const struct diff_estimate *estimate, struct json *json)
{
	double unit = diff->profile.unit == UNIT_MILLIONTHS ? MILLION : 1;
	struct diff_cost cost;

	if (!diff_has_costs(diff))
		return;
	cost = diff_cost_of(diff, measure, estimate);
	json_open_object(json, "cost");
	json_number(json, "before", cost.value[DIFF_BEFORE] / unit);
	json_number(json, "after", cost.value[DIFF_AFTER] / unit);
	json_number(json, "points", cost.points);
	json_number(json, "percent", cost.percent);
	if (diff->is_graded) {
		json_open_object(json, "interval");
		json_range(json, "points", cost.points_interval.low, cost.points_interval.high);
		json_range(json, "percent", cost.percent_interval.low, cost.percent_interval.high);
		json_close_object(json);
	}
	json_close_object(json);
}

static void write_measure(const struct diff *diff, const char *key,
			  const struct diff_measure *measure, const struct diff_estimate *estimate,
			  const uint64_t *columns, struct json *json)
{
	json_open_object(json, key);
	json_text(json, "verdict", text_of(diff_verdict_name(measure->verdict)));
	json_number(json, "points", diff_points(diff, measure));
	json_number(json, "percent", diff_percent(diff, measure));
	if (diff->is_graded) {
		json_number(json, "p_value", measure->corrected_p_value);
		write_interval(json, estimate);
		if (measure->verdict == DIFF_UNCERTAIN)
			json_number(json, "needed", estimate->needed);
	}
	write_cost(diff, measure, estimate, json);
	write_runs(diff, columns, json);
	json_close_object(json);
}

static void write_function(const struct diff *diff, const struct diff_function *function,
			   struct json *json)
{
	const struct diff_measure *self = &function->self;
	const struct diff_measure *total = &function->total;
	enum weight_unit before = diff_view_of(diff, DIFF_BEFORE).unit;
	enum weight_unit after = diff_view_of(diff, DIFF_AFTER).unit;
	size_t first = function->frame * diff->runs.count;

	json_open_object(json, NULL);
	json_text(json, "name", profile_frame_name(&diff->profile, (frame_id){ function->frame }));
	json_weight(json, "self_before", self->weight[DIFF_BEFORE], before);
	json_weight(json, "self_after", self->weight[DIFF_AFTER], after);
	json_weight(json, "total_before", total->weight[DIFF_BEFORE], before);
	json_weight(json, "total_after", total->weight[DIFF_AFTER], after);
	json_number(json, "change", diff_points(diff, total));
	json_number(json, "p_value", diff->is_graded ? diff_p_value(function) : NAN);
	json_bool(json, "significant", diff_verdict_is_change(function->verdict));
	json_text(json, "verdict", text_of(diff_verdict_name(function->verdict)));
	json_text(json, "verdict_of", text_of(function->is_judged_by_self ? "self" : "total"));
	write_measure(diff, "self", self, &function->self_estimate, diff->run_self + first, json);
	write_measure(diff, "total", total, &function->total_estimate, diff->run_total + first,
		      json);
	json_close_object(json);
}

static void write_overall(const struct diff *diff, struct json *json)
{
	json_open_object(json, "total");
	json_text(json, "verdict", text_of(diff_verdict_name(diff->overall.verdict)));
	json_number(json, "percent", diff->overall_percent);
	json_number(json, "p_value", diff->overall_estimate.p_value);
	json_range(json, "interval", diff->overall_estimate.percent.low,
		   diff->overall_estimate.percent.high);
	json_bool(json, "spread_assumed", diff_assumes_total_spread(diff));
	json_close_object(json);
}

static const char *noise_of(const struct diff *diff)
{
	if (!diff->is_graded)
		return "unknown";
	return diff_has_runs(diff) ? "runs" : diff->freedom ? "blocks" : "independent";
}

void diff_json_write(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	size_t count = diff->functions.count;
	struct json json;

	if (limit && limit < count)
		count = (size_t)limit;
	json_init(&json, sink);
	json_open_object(&json, NULL);
	headline_text_json(diff, &json);
	write_side(diff, DIFF_BEFORE, &json);
	write_side(diff, DIFF_AFTER, &json);
	captures_text_json_differences(diff, &json);
	json_text(&json, "noise", text_of(noise_of(diff)));
	if (diff_assumes_spread(diff))
		json_number(&json, "assumed_spread", diff_assumed_function_spread(diff) * 100);
	json_number(&json, "confidence", diff->options.confidence);
	json_number(&json, "unchanged_within", diff->options.margin);
	write_overall(diff, &json);
	json_number(&json, "shift_percent", diff->shift_percent);
	diff_notes_json(diff, &json);
	json_open_array(&json, "functions");
	for (size_t i = 0; i < count; i++)
		write_function(diff, &diff->functions.at[i], &json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}
