/* SPDX-License-Identifier: MIT */
#include "render/text/counters.h"

#include "diff/counter_ratio.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"

#define VALUE_WIDTH 20
#define NAME_WIDTH  28

static void write_ratio(const struct profile *profile, const struct counter_ratio *ratio,
			struct sink *sink)
{
	if (strcmp(ratio->name, "miss-rate") == 0) {
		sink_printf(sink, "%.2f%% of ", ratio->value * 100);
		escape_terminal(sink,
				strings_get(profile->strings, profile->events.at[ratio->of].name));
		return;
	}
	sink_printf(sink, "%.2f %s", ratio->value,
		    strcmp(ratio->name, "instructions-per-cycle") == 0 ? "instructions per cycle"
								       : "cycles per instruction");
}

void counters_write_value(struct sink *sink, uint64_t value, enum weight_unit unit)
{
	if (unit == UNIT_NANOSECONDS)
		number_duration(sink, value);
	else if (unit == UNIT_MILLIONTHS)
		number_decimal(sink, value);
	else
		number_grouped(sink, value);
}

static void write_value(const struct profile_event *event, struct sink *sink)
{
	if (event->sample_count)
		counters_write_value(sink, event->period_sum, event->unit);
	else
		sink_puts(sink, "not counted");
}

/* Whether the event is among the best matches of the pattern. Without a pattern, all events are. */
static bool is_wanted(const struct profile *profile, const struct counters_options *options,
		      uint32_t event)
{
	return profile_match_event(profile, &profile->events.at[event], options->event_pattern) ==
	       profile_match_events(profile, options->event_pattern);
}

static void write_padded(struct sink *sink, struct text text, size_t width, bool is_left)
{
	size_t length = 0;

	/* UTF-8 continuation bytes are not characters. */
	for (uint32_t i = 0; i < text.length; i++)
		length += ((unsigned char)text.at[i] & 0xc0) != 0x80;
	for (size_t i = length; !is_left && i < width; i++)
		sink_char(sink, ' ');
	escape_terminal(sink, text);
	for (size_t i = length; is_left && i < width; i++)
		sink_char(sink, ' ');
}

static void write_line(const struct profile *profile, uint32_t i, struct sink *scratch,
		       struct sink *sink)
{
	const struct profile_event *event = &profile->events.at[i];
	struct counter_ratio ratios[COUNTER_RATIOS_MAX];

	counter_ratios_find(profile, i, ratios);
	scratch->used = 0;
	write_value(event, scratch);
	write_padded(sink, sink_memory(scratch), VALUE_WIDTH, false);
	sink_puts(sink, "  ");
	write_padded(sink, strings_get(profile->strings, event->name),
		     ratios[0].name ? NAME_WIDTH : 0, true);
	for (int k = 0; k < COUNTER_RATIOS_MAX && ratios[k].name; k++) {
		sink_puts(sink, k ? ", " : "  ");
		write_ratio(profile, &ratios[k], sink);
	}
	sink_char(sink, '\n');
}

static void write_json(const struct profile *profile, const struct counters_options *options,
		       struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_open_array(&json, "counters");
	for (uint32_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct counter_ratio ratios[COUNTER_RATIOS_MAX];

		if (!is_wanted(profile, options, i))
			continue;
		counter_ratios_find(profile, i, ratios);
		json_open_object(&json, NULL);
		json_text(&json, "event", strings_get(profile->strings, event->name));
		json_unit(&json, event->unit);
		json_bool(&json, "is_counted", event->sample_count > 0);
		json_weight(&json, "value", event->period_sum, event->unit);
		for (int k = 0; k < COUNTER_RATIOS_MAX && ratios[k].name; k++)
			json_number(&json, ratios[k].name, ratios[k].value);
		json_close_object(&json);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

void counters_write(const struct profile *profile, const struct counters_options *options,
		    struct sink *sink)
{
	struct sink scratch;

	if (options->is_json) {
		write_json(profile, options, sink);
		return;
	}
	sink_init_memory(&scratch);
	if (profile->facts[FACT_COMMAND_LINE].at) {
		sink_puts(sink, "# counted: ");
		escape_terminal(sink, profile->facts[FACT_COMMAND_LINE]);
		sink_char(sink, '\n');
	}
	for (uint32_t i = 0; i < profile->events.count; i++)
		if (is_wanted(profile, options, i))
			write_line(profile, i, &scratch, sink);
	sink_deinit(&scratch);
}
