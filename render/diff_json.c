/* SPDX-License-Identifier: MIT */
#include "render/diff_json.h"

#include <math.h>

#include "render/json.h"
#include "render/number.h"

static void write_side(const struct diff *diff, enum diff_side side, const char *key,
		       struct json *json)
{
	struct profile shown = diff_view_of(diff, side);
	uint64_t total = diff->total[side];

	json_open_object(json, key);
	json_weight(json, "total", total, shown.unit);
	json_weight(json, "normalised_total",
		    side == DIFF_BEFORE ? diff_scaled(diff, total) : total, diff->profile.unit);
	if (diff->missing[side])
		json_weight(json, "missing", diff->missing[side], shown.unit);
	json_u64(json, "samples", diff->sample_count[side]);
	json_u64(json, "runs", diff->run_count[side]);
	json_text(json, "event", strings_get(shown.strings, shown.event_name));
	json_unit(json, shown.unit);
	json_close_object(json);
}

static void write_function(const struct diff *diff, const struct diff_function *function,
			   struct json *json)
{
	const struct diff_measure *self = &function->self;
	const struct diff_measure *total = &function->total;
	enum weight_unit before = diff_view_of(diff, DIFF_BEFORE).unit;
	enum weight_unit after = diff_view_of(diff, DIFF_AFTER).unit;

	json_open_object(json, NULL);
	json_text(json, "name", profile_frame_name(&diff->profile, (frame_id){ function->frame }));
	json_weight(json, "self_before", self->weight[DIFF_BEFORE], before);
	json_weight(json, "self_after", self->weight[DIFF_AFTER], after);
	json_weight(json, "total_before", total->weight[DIFF_BEFORE], before);
	json_weight(json, "total_after", total->weight[DIFF_AFTER], after);
	json_number(json, "change", diff_points(diff, total));
	json_number(json, "p_value", fmin(self->corrected_p_value, total->corrected_p_value));
	json_bool(json, "significant", self->is_significant || total->is_significant);
	json_close_object(json);
}

void diff_json_write(const struct diff *diff, uint64_t limit, struct sink *sink)
{
	size_t count = diff->functions.count;
	struct json json;

	if (limit && limit < count)
		count = (size_t)limit;
	json_init(&json, sink);
	json_open_object(&json, NULL);
	write_side(diff, DIFF_BEFORE, "before", &json);
	write_side(diff, DIFF_AFTER, "after", &json);
	json_text(&json, "noise",
		  text_of(diff_has_runs(diff) ? "runs"
			  : diff->freedom     ? "blocks"
					      : "independent"));
	json_open_array(&json, "functions");
	for (size_t i = 0; i < count; i++)
		write_function(diff, &diff->functions.at[i], &json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}
