/* SPDX-License-Identifier: MIT */
/* Writes the bins of a heat map for other programs. */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"
#include "render/timeline/heat_map_output.h"
#include "render/timeline/time_axis.h"

#define NS_PER_SECOND ((uint64_t)1000000000)

const char *heat_map_key_name(enum timeline_by by)
{
	static const char *const names[] = {
		[TIMELINE_BY_NOTHING] = "offset", [TIMELINE_BY_CPU] = "cpu",
		[TIMELINE_BY_THREAD] = "thread",  [TIMELINE_BY_COMM] = "comm",
		[TIMELINE_BY_EVENT] = "event",    [TIMELINE_BY_VALUE] = "value",
	};

	return names[by];
}

const char *heat_map_waits_name(const struct heat_map *map)
{
	static const char *const names[] = {
		[HEAT_MAP_SAMPLES] = NULL,
		[HEAT_MAP_OFF_CPU] = "off-CPU time",
		[HEAT_MAP_RUN_QUEUE] = "run-queue time",
	};

	return names[map->waits];
}

const char *heat_map_counted(const struct heat_map *map)
{
	if (map->by == TIMELINE_BY_VALUE)
		return "event";
	return map->waits ? "wait" : "sample";
}

static void write_value(const struct heat_map *map, uint64_t value, struct sink *sink)
{
	if (map->value_unit == UNIT_NANOSECONDS && value)
		heat_map_duration(value, sink);
	else
		number_decimal(sink, value);
}

void heat_map_row_name(const struct heat_map *map, uint32_t row, struct sink *sink)
{
	const struct heat_map_row *key = &map->rows.at[row];

	if (map->by == TIMELINE_BY_VALUE) {
		write_value(map, key->low, sink);
		if (key->high) {
			sink_puts(sink, " to ");
			write_value(map, key->high, sink);
		}
	} else if (key->other_count) {
		sink_printf(sink, "%" PRIu32 " %s", key->other_count,
			    key->other_count == 1 ? "other" : "others");
	} else {
		sink_text(sink, key->name);
	}
}

void heat_map_seconds(uint64_t time_ns, struct sink *sink)
{
	sink_printf(sink, "%" PRIu64 ".%09" PRIu64, time_ns / NS_PER_SECOND,
		    time_ns % NS_PER_SECOND);
}

void heat_map_time(const struct heat_map *map, uint64_t time_ns, struct sink *sink)
{
	if (map->has_times_of_day)
		time_axis_time_of_day(time_ns, time_ns, sink);
	else
		heat_map_seconds(time_ns, sink);
}

void heat_map_duration(uint64_t duration_ns, struct sink *sink)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, " s" }, { 1000000, " ms" }, { 1000, " µs" }, { 1, " ns" } };
	size_t i = 0;

	while (units[i].ns > duration_ns && units[i].ns > 1)
		i++;
	number_grouped(sink, duration_ns / units[i].ns);
	if (duration_ns % units[i].ns)
		sink_char(sink, '.');
	for (uint64_t rest = duration_ns % units[i].ns, place = units[i].ns / 10; rest;
	     place /= 10) {
		sink_char(sink, (char)('0' + rest / place));
		rest %= place;
	}
	sink_puts(sink, units[i].name);
}

static void write_idle(const struct heat_map_view *view, struct sink *sink)
{
	if (!view->map->idle_count)
		return;
	sink_puts(sink, " · without ");
	number_grouped(sink, view->map->idle_count);
	sink_puts(sink, view->map->idle_count == 1 ? " sample" : " samples");
	sink_puts(sink, " of the idle task");
}

/* The mean is only over the CPUs with samples, because a CPU that was always idle has none. */
static void write_utilisation(const struct heat_map *map, struct sink *sink)
{
	uint64_t cpu_count = 0;

	if (map->first_time_ns >= map->last_time_ns)
		return;
	for (size_t i = 0; i < map->rows.count; i++)
		cpu_count += map->rows.at[i].other_count ? map->rows.at[i].other_count : 1;
	sink_puts(sink, " · ");
	number_percent(sink, map->weight,
		       saturate_multiply(map->last_time_ns - map->first_time_ns, cpu_count));
	sink_printf(sink, " of %" PRIu64 " %s busy", cpu_count, cpu_count == 1 ? "CPU" : "CPUs");
}

void heat_map_facts(const struct heat_map_view *view, struct sink *sink)
{
	const struct heat_map *map = view->map;
	const struct profile *profile = view->profile;
	struct text input = strings_get(profile->strings, profile->input_name);

	sink_text(sink, text_basename(input));
	sink_puts(sink, " · ");
	sink_text(sink, map->waits ? text_of(heat_map_waits_name(map))
				   : strings_get(profile->strings, profile->event_name));
	sink_puts(sink, " · ");
	number_grouped(sink, map->sample_count);
	sink_printf(sink, " %s%s over ", heat_map_counted(map), map->sample_count == 1 ? "" : "s");
	number_duration(sink, map->last_time_ns - map->first_time_ns);
	sink_puts(sink, " · a bin is ");
	heat_map_duration(map->bin_ns, sink);
	if (map->by == TIMELINE_BY_NOTHING) {
		sink_puts(sink, ", a column ");
		heat_map_duration(map->column_ns, sink);
	}
	write_idle(view, sink);
	if (map->full_weight)
		write_utilisation(map, sink);
}

void heat_map_write_tsv(const struct heat_map_view *view, struct sink *sink)
{
	const struct heat_map *map = view->map;
	bool has_keys = map->by != TIMELINE_BY_NOTHING;
	struct sink name;

	sink_init_memory(&name);
	sink_puts(sink, "start\tend\t");
	if (has_keys)
		sink_printf(sink, "%s\t", heat_map_key_name(map->by));
	sink_printf(sink, "%ss\t%s\n", heat_map_counted(map),
		    view->map->unit == UNIT_SAMPLES ? "weight"
						    : number_shown_unit(view->map->unit));
	for (size_t i = 0; i < map->cells.count; i++) {
		const struct heat_map_cell *cell = &map->cells.at[i];
		uint64_t begin_ns = heat_map_time_ns(map, cell);

		heat_map_seconds(begin_ns, sink);
		sink_char(sink, '\t');
		heat_map_seconds(saturate_add(begin_ns, map->bin_ns), sink);
		sink_char(sink, '\t');
		if (has_keys) {
			name.used = 0;
			heat_map_row_name(map, cell->row, &name);
			escape_terminal(sink, sink_memory(&name));
			sink_char(sink, '\t');
		}
		sink_printf(sink, "%" PRIu64 "\t", cell->sample_count);
		number_plain(sink, cell->weight, view->map->unit);
		sink_char(sink, '\n');
	}
	sink_deinit(&name);
}

/* The keys of counts and times in JSON. */
struct json_keys {
	const char *count, *first, *last, *timeless;
};

static const struct json_keys *keys_of(const struct heat_map *map)
{
	static const struct json_keys of_samples = { "samples", "first_sample_ns", "last_sample_ns",
						     "samples_without_time" };
	static const struct json_keys of_waits = { "waits", "first_wait_ns", "last_wait_ns",
						   "waits_without_time" };
	static const struct json_keys of_events = { "events", "first_event_ns", "last_event_ns",
						    "events_without_time" };

	if (map->by == TIMELINE_BY_VALUE)
		return &of_events;
	return map->waits ? &of_waits : &of_samples;
}

/* The weight of events is their number, which has already been written. */
static void write_weight(const struct heat_map *map, uint64_t weight, struct json *json)
{
	if (map->by != TIMELINE_BY_VALUE)
		json_weight(json, "weight", weight, map->unit);
}

static void write_rows(const struct heat_map_view *view, struct json *json)
{
	const struct heat_map *map = view->map;
	const char *counted = keys_of(map)->count;
	struct sink name;

	sink_init_memory(&name);
	json_open_array(json, "rows");
	for (uint32_t i = 0; i < map->rows.count; i++) {
		const struct heat_map_row *row = &map->rows.at[i];

		name.used = 0;
		heat_map_row_name(map, i, &name);
		json_open_object(json, NULL);
		json_text(json, "name", sink_memory(&name));
		if (map->by == TIMELINE_BY_THREAD && !row->other_count) {
			json_u64(json, "pid", row->pid);
			json_u64(json, "tid", row->tid);
		}
		if (map->by == TIMELINE_BY_VALUE) {
			json_weight(json, "low", row->low, map->value_unit);
			json_weight(json, "high", row->high, map->value_unit);
		}
		json_u64(json, counted, row->sample_count);
		write_weight(map, row->weight, json);
		json_close_object(json);
	}
	json_close_array(json);
	sink_deinit(&name);
}

static void write_bins(const struct heat_map_view *view, struct json *json)
{
	const struct heat_map *map = view->map;

	json_open_array(json, "bins");
	for (size_t i = 0; i < map->cells.count; i++) {
		const struct heat_map_cell *cell = &map->cells.at[i];

		json_open_object(json, NULL);
		json_u64(json, "start_ns", heat_map_time_ns(map, cell));
		if (map->by != TIMELINE_BY_NOTHING)
			json_u64(json, "row", cell->row);
		json_u64(json, keys_of(map)->count, cell->sample_count);
		write_weight(map, cell->weight, json);
		json_close_object(json);
	}
	json_close_array(json);
}

bool heat_map_has_mark(const struct heat_map *map, const struct placed_mark *mark)
{
	return mark->last_ns / map->column_ns >= map->first_column &&
	       mark->first_ns / map->column_ns < map->first_column + map->column_count;
}

static void write_marks(const struct heat_map_view *view, struct json *json)
{
	json_open_array(json, "marks");
	for (size_t i = 0; i < view->marks->rows.count; i++) {
		const struct placed_mark *mark = &view->marks->rows.at[i];

		if (!heat_map_has_mark(view->map, mark))
			continue;
		json_open_object(json, NULL);
		json_u64(json, "first_ns", mark->first_ns);
		json_u64(json, "last_ns", mark->last_ns);
		json_text(json, "label", mark->label);
		json_close_object(json);
	}
	json_close_array(json);
}

void heat_map_write_json(const struct heat_map_view *view, struct sink *sink)
{
	const struct heat_map *map = view->map;
	const struct profile *profile = view->profile;
	const struct json_keys *keys = keys_of(map);
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "input", strings_get(profile->strings, profile->input_name));
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_unit(&json, map->unit);
	json_text(&json, "by", text_of(heat_map_key_name(map->by)));
	json_u64(&json, "bin_ns", map->bin_ns);
	json_u64(&json, "column_ns", map->column_ns);
	json_u64(&json, keys->first, map->first_time_ns);
	json_u64(&json, keys->last, map->last_time_ns);
	json_u64(&json, keys->count, map->sample_count);
	write_weight(map, map->weight, &json);
	if (map->by == TIMELINE_BY_VALUE) {
		json_text(&json, "value_unit", text_of(number_shown_unit(map->value_unit)));
		json_text(&json, "clock", text_of(map->has_times_of_day ? "time of day" : "log"));
		json_u64(&json, "events_without_value", map->valueless_count);
	}
	if (map->waits)
		json_text(&json, "shows", text_of(heat_map_waits_name(map)));
	else if (map->by != TIMELINE_BY_VALUE)
		json_u64(&json, "idle_samples_left_out", map->idle_count);
	json_u64(&json, keys->timeless, map->timeless_count);
	if (map->by != TIMELINE_BY_NOTHING)
		write_rows(view, &json);
	if (view->marks)
		write_marks(view, &json);
	write_bins(view, &json);
	json_close_object(&json);
	json_finish(&json);
}
