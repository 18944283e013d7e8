/* SPDX-License-Identifier: MIT */
#include "render/counters.h"

#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"

#define VALUE_WIDTH 20
#define NAME_WIDTH  28
#define NONE        UINT32_MAX

/* "instructions" of "instructions:u" and "cpu_core/instructions/"; what is around it has to be equal. */
struct counter_name {
	struct text pmu, name, modifiers;
};

static struct counter_name split_name(struct text text)
{
	struct counter_name ret = { { "", 0 }, text, { "", 0 } };
	const char *slash = text.length ? memchr(text.at, '/', text.length) : NULL;
	const char *end = text.at + text.length;
	const char *stop;

	if (slash) {
		ret.pmu = (struct text){ text.at, (uint32_t)(slash - text.at) };
		stop = slash + 1 < end ? memchr(slash + 1, '/', (size_t)(end - slash - 1)) : NULL;
		ret.name.at = slash + 1;
	} else {
		stop = text.length ? memchr(text.at, ':', text.length) : NULL;
	}
	if (!stop)
		stop = end;
	ret.name.length = (uint32_t)(stop - ret.name.at);
	ret.modifiers = (struct text){ stop, (uint32_t)(end - stop) };
	return ret;
}

/* The event of this name, counted where the other was; NONE: there is none, or it counted nothing. */
static uint32_t find_beside(const struct profile *profile, const struct counter_name *other,
			    struct text name, struct text suffix)
{
	for (uint32_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct counter_name found = split_name(strings_get(profile->strings, event->name));

		if (!event->period_sum || !text_equal(found.pmu, other->pmu) ||
		    !text_equal(found.modifiers, other->modifiers))
			continue;
		if (found.name.length == name.length + suffix.length &&
		    memcmp(found.name.at, name.at, name.length) == 0 &&
		    memcmp(found.name.at + name.length, suffix.at, suffix.length) == 0)
			return i;
	}
	return NONE;
}

static double value_of(const struct profile *profile, uint32_t event)
{
	return (double)profile->events.at[event].period_sum;
}

/* "cache-misses" of "cache-references", "L1-dcache-load-misses" of "L1-dcache-loads". */
static void find_miss_rate(const struct profile *profile, uint32_t event,
			   const struct counter_name *name, struct counter_ratio *ratio)
{
	static const char misses[] = "-misses";
	static const char *const wholes[] = { "-references", "s", "es", "-instructions", "" };
	struct text base = name->name;

	if (!text_has_suffix(base, misses))
		return;
	base.length -= sizeof(misses) - 1;
	for (size_t i = 0; i < ARRAY_SIZE(wholes); i++) {
		uint32_t of = find_beside(profile, name, base, text_of(wholes[i]));

		if (of == NONE)
			continue;
		*ratio = (struct counter_ratio){ "miss-rate", of,
						 value_of(profile, event) / value_of(profile, of) };
		return;
	}
}

void counters_find_ratios(const struct profile *profile, uint32_t event,
			  struct counter_ratio ratios[2])
{
	struct counter_name name =
		split_name(strings_get(profile->strings, profile->events.at[event].name));
	struct text none = { "", 0 };
	uint32_t cycles;

	ratios[0] = ratios[1] = (struct counter_ratio){ .name = NULL, .of = NONE };
	if (!profile->events.at[event].sample_count)
		return;
	find_miss_rate(profile, event, &name, &ratios[0]);
	if (!text_is(name.name, "instructions") || !profile->events.at[event].period_sum)
		return;
	cycles = find_beside(profile, &name, text_of("cycles"), none);
	if (cycles == NONE)
		cycles = find_beside(profile, &name, text_of("cpu-cycles"), none);
	if (cycles == NONE)
		return;
	ratios[0] = (struct counter_ratio){ "instructions-per-cycle", cycles,
					    value_of(profile, event) / value_of(profile, cycles) };
	ratios[1] = (struct counter_ratio){ "cycles-per-instruction", cycles,
					    value_of(profile, cycles) / value_of(profile, event) };
}

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

static void write_value(const struct profile_event *event, struct sink *sink)
{
	if (!event->sample_count)
		sink_puts(sink, "not counted");
	else if (event->unit == UNIT_NANOSECONDS)
		number_duration(sink, event->period_sum);
	else if (event->unit == UNIT_MILLIONTHS)
		sink_printf(sink, "%.6f", (double)event->period_sum / 1e6);
	else
		number_grouped(sink, event->period_sum);
}

static void write_padded(struct sink *sink, struct text text, size_t width, bool is_left)
{
	size_t length = 0;

	/* The bytes of a character but its first are none of their own. */
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
	struct counter_ratio ratios[2];

	counters_find_ratios(profile, i, ratios);
	scratch->used = 0;
	write_value(event, scratch);
	write_padded(sink, sink_memory(scratch), VALUE_WIDTH, false);
	sink_puts(sink, "  ");
	write_padded(sink, strings_get(profile->strings, event->name),
		     ratios[0].name ? NAME_WIDTH : 0, true);
	for (int k = 0; k < 2 && ratios[k].name; k++) {
		sink_puts(sink, k ? ", " : "  ");
		write_ratio(profile, &ratios[k], sink);
	}
	sink_char(sink, '\n');
}

static void write_json(const struct profile *profile, struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_open_array(&json, "counters");
	for (uint32_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct counter_ratio ratios[2];

		counters_find_ratios(profile, i, ratios);
		json_open_object(&json, NULL);
		json_text(&json, "event", strings_get(profile->strings, event->name));
		json_text(&json, "unit", text_of(number_unit_name(event->unit)));
		json_bool(&json, "is_counted", event->sample_count > 0);
		json_u64(&json, "value", event->period_sum);
		for (int k = 0; k < 2 && ratios[k].name; k++)
			json_number(&json, ratios[k].name, ratios[k].value);
		json_close_object(&json);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

void counters_write(const struct profile *profile, bool is_json, struct sink *sink)
{
	struct sink scratch;

	if (is_json) {
		write_json(profile, sink);
		return;
	}
	sink_init_memory(&scratch);
	if (profile->facts[FACT_COMMAND_LINE].at) {
		sink_puts(sink, "# counted: ");
		escape_terminal(sink, profile->facts[FACT_COMMAND_LINE]);
		sink_char(sink, '\n');
	}
	for (uint32_t i = 0; i < profile->events.count; i++)
		write_line(profile, i, &scratch, sink);
	sink_deinit(&scratch);
}
