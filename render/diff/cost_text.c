/* SPDX-License-Identifier: MIT */
#include "render/diff/cost_text.h"

#include <math.h>

#include "profile/event_name.h"
#include "render/escape.h"
#include "render/svg/svg_header.h"

#define MILLION   1e6
#define SECOND_NS 1e9

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

const char *diff_cost_work(const struct diff *diff)
{
	return works[diff_work_of(diff)].words;
}

const char *diff_cost_work_key(const struct diff *diff)
{
	return works[diff_work_of(diff)].key;
}

bool diff_cost_is_asked(const struct diff *diff)
{
	enum diff_work work = diff_work_of(diff);

	return diff_has_costs(diff) && (work == DIFF_WORK_OPERATION || work == DIFF_WORK_SECOND);
}

static bool is_cpu_clock(struct text event)
{
	struct text base = event_name_parse(event).base;

	return text_is(base, "cpu-clock") || text_is(base, "task-clock");
}

void diff_cost_write_subject(const struct diff *diff, struct sink *sink)
{
	const struct profile *profile = &diff->profile;
	struct text event = strings_get(profile->strings, profile->event_name);
	struct text unit = svg_header_unit(profile);
	/* How it was sampled is beside the point: cycles, and not cycles:ppp. */
	struct text base = event_name_parse(unit).base;

	if (profile->unit == UNIT_NANOSECONDS && profile->weight_name.i == STR_EMPTY.i &&
	    is_cpu_clock(event))
		sink_puts(sink, "CPU time");
	else
		escape_terminal(sink, base.length ? base : unit);
}

void diff_cost_write_what(const struct diff *diff, struct sink *sink)
{
	diff_cost_write_subject(diff, sink);
	if (*diff_cost_work(diff))
		sink_printf(sink, " %s", diff_cost_work(diff));
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

void diff_cost_write_value(const struct diff *diff, double value, struct sink *sink)
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

void diff_cost_write_percent(const struct diff_cost *cost, struct sink *sink)
{
	if (!isfinite(cost->percent))
		sink_puts(sink, "new");
	else if (cost->percent <= -100)
		sink_puts(sink, "gone");
	else
		sink_printf(sink, "%+.1f%%", cost->percent);
}

void diff_cost_json(const struct diff *diff, const struct diff_measure *measure,
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
