/* SPDX-License-Identifier: MIT */
#include "render/diff/counter_table.h"

#include <math.h>

#include "render/diff/diff_text.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/text/counters.h"

#define VALUE_WIDTH 22

static uint64_t rounded(double value)
{
	return value < (double)UINT64_MAX ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

static bool is_share(const struct counter_change *change)
{
	return change->ratio && strcmp(change->ratio, "miss-rate") == 0;
}

/* "1,234,567 ±0.52%", "1.90", "10.00%" */
static void write_value(const struct counter_change *change, enum diff_side side, struct sink *sink)
{
	const struct counter_value *value = &change->side[side];

	if (is_share(change))
		sink_printf(sink, "%.2f%%", value->value * 100);
	else if (change->ratio)
		sink_printf(sink, "%.2f", value->value);
	else
		counters_write_value(sink, rounded(value->value), change->unit);
	if (!isnan(value->error) && value->value > 0)
		sink_printf(sink, " ±%.2f%%", value->error * 100 / value->value);
}

static void write_change(const struct counter_change *change, struct sink *sink)
{
	double percent = counter_change_percent(change);

	if (isfinite(percent))
		sink_printf(sink, "%+.1f%%", percent);
	else
		sink_puts(sink, "new");
}

static void write_p_value(const struct counter_change *change, struct sink *sink)
{
	if (isnan(change->p_value))
		sink_puts(sink, "-");
	else
		sink_printf(sink, "%.2g", change->corrected_p_value);
}

/* Writes the name of a row: "cycles", "instructions per cycle", "share of cache-references". */
static void counter_name_write(const struct counter_diff *diff, const struct counter_change *change,
			       struct sink *sink)
{
	if (!change->ratio) {
		escape_terminal(sink, strings_get(diff->strings, change->event));
		return;
	}
	if (is_share(change)) {
		sink_puts(sink, "share of ");
		escape_terminal(sink, strings_get(diff->strings, change->of));
		return;
	}
	for (const char *at = change->ratio; *at; at++)
		sink_char(sink, *at == '-' ? ' ' : *at);
}

/* "before make -j2, 5 runs" */
static void write_side(const struct counter_diff *diff, enum diff_side side, struct sink *sink)
{
	struct text command = strings_get(diff->strings, diff->command[side]);

	sink_puts(sink, diff_side_names[side]);
	if (command.length) {
		sink_char(sink, ' ');
		escape_terminal(sink, command);
	}
	if (diff->table_count[side] > 1)
		sink_printf(sink, ", %u tables", diff->table_count[side]);
	else if (diff->run_count[side])
		sink_printf(sink, ", %u run%s", diff->run_count[side],
			    diff->run_count[side] == 1 ? "" : "s");
}

static void write_only(const struct counter_diff *diff, struct sink *sink)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		for (size_t i = 0; i < diff->only[side].count; i++) {
			sink_printf(sink, i ? ", " : "# counted %s only: ", diff_side_names[side]);
			escape_terminal(sink, strings_get(diff->strings, diff->only[side].at[i]));
		}
		if (diff->only[side].count)
			sink_char(sink, '\n');
	}
}

static bool has_untested(const struct counter_diff *diff)
{
	for (size_t i = 0; i < diff->changes.count; i++)
		if (isnan(diff->changes.at[i].p_value))
			return true;
	return false;
}

static void write_row(const struct counter_diff *diff, const struct counter_change *change,
		      struct sink *scratch, struct sink *sink)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		scratch->used = 0;
		write_value(change, (enum diff_side)side, scratch);
		diff_text_right(sink, sink_memory(scratch), VALUE_WIDTH);
	}
	scratch->used = 0;
	write_change(change, scratch);
	diff_text_right(sink, sink_memory(scratch), 10);
	scratch->used = 0;
	write_p_value(change, scratch);
	diff_text_right(sink, sink_memory(scratch), 9);
	sink_printf(sink, "%c  %s", change->is_significant ? '*' : ' ', change->ratio ? "  " : "");
	counter_name_write(diff, change, sink);
	sink_char(sink, '\n');
}

void counter_table_write(const struct counter_diff *diff, struct sink *sink)
{
	struct sink scratch;

	sink_puts(sink, "# counters: ");
	write_side(diff, DIFF_BEFORE, sink);
	sink_puts(sink, "; ");
	write_side(diff, DIFF_AFTER, sink);
	sink_printf(sink, "\n# changes at %.6g%% confidence are marked *\n",
		    diff->options.confidence * 100);
	if (has_untested(diff))
		sink_puts(sink, "# changes without ± on both sides are not tested; perf stat -r "
				"measures how much runs differ\n");
	write_only(diff, sink);
	sink_puts(sink,
		  "#               before                 after    change        p   counter\n");
	sink_init_memory(&scratch);
	for (size_t i = 0; i < diff->changes.count; i++)
		write_row(diff, &diff->changes.at[i], &scratch, sink);
	sink_deinit(&scratch);
}

void counter_markdown_write(const struct counter_diff *diff, struct sink *sink)
{
	sink_puts(sink, "| counter | before | after | change | p |\n"
			"|---|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < diff->changes.count; i++) {
		const struct counter_change *change = &diff->changes.at[i];
		struct sink name;

		sink_init_memory(&name);
		counter_name_write(diff, change, &name);
		sink_puts(sink, "| ");
		escape_markdown_code(sink, sink_memory(&name));
		sink_deinit(&name);
		sink_puts(sink, " | ");
		write_value(change, DIFF_BEFORE, sink);
		sink_puts(sink, " | ");
		write_value(change, DIFF_AFTER, sink);
		sink_puts(sink, " | ");
		write_change(change, sink);
		sink_puts(sink, change->is_significant ? " * | " : " | ");
		write_p_value(change, sink);
		sink_puts(sink, " |\n");
	}
}

static void write_json_value(const struct counter_change *change, enum diff_side side,
			     struct json *json)
{
	static const char *const error_names[] = { "before_error", "after_error" };
	const struct counter_value *value = &change->side[side];

	if (change->ratio)
		json_number(json, diff_side_names[side], value->value);
	else
		json_weight(json, diff_side_names[side], rounded(value->value), change->unit);
	if (isnan(value->error))
		return;
	json_number(json, error_names[side],
		    change->unit == UNIT_MILLIONTHS && !change->ratio ? value->error / 1e6
								      : value->error);
}

static void write_json_row(const struct counter_diff *diff, const struct counter_change *change,
			   struct json *json)
{
	double percent = counter_change_percent(change);

	json_open_object(json, NULL);
	json_text(json, "event", strings_get(diff->strings, change->event));
	if (change->ratio) {
		json_text(json, "ratio", text_of(change->ratio));
		json_text(json, "of", strings_get(diff->strings, change->of));
	} else {
		json_unit(json, change->unit);
	}
	write_json_value(change, DIFF_BEFORE, json);
	write_json_value(change, DIFF_AFTER, json);
	if (isfinite(percent))
		json_number(json, "change_percent", percent);
	if (!isnan(change->p_value))
		json_number(json, "p_value", change->corrected_p_value);
	json_bool(json, "significant", change->is_significant);
	json_close_object(json);
}

void counter_json_write(const struct counter_diff *diff, struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	for (int side = 0; side < DIFF_SIDES; side++) {
		json_open_object(&json, diff_side_names[side]);
		json_text(&json, "command", strings_get(diff->strings, diff->command[side]));
		json_u64(&json, "tables", diff->table_count[side]);
		if (diff->run_count[side])
			json_u64(&json, "runs", diff->run_count[side]);
		json_close_object(&json);
	}
	json_open_array(&json, "counters");
	for (size_t i = 0; i < diff->changes.count; i++)
		write_json_row(diff, &diff->changes.at[i], &json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}
