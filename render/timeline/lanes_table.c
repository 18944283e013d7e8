/* SPDX-License-Identifier: MIT */
/* Writes names of lanes, and lanes as TSV and JSON for other programs. */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"
#include "render/timeline/heat_map_output.h"
#include "render/timeline/lanes_colour.h"
#include "render/timeline/lanes_output.h"

static const char *const state_names[SCHEDULE_STATE_COUNT] = {
	[SCHEDULE_RUNNING] = "running",     [SCHEDULE_RUNNABLE] = "runnable",
	[SCHEDULE_PREEMPTED] = "preempted", [SCHEDULE_BLOCKED] = "blocked",
	[SCHEDULE_UNKNOWN] = "unknown",
};

void lanes_thread_name(const struct lanes *lanes, uint32_t tid, struct sink *sink)
{
	const struct lane_thread *thread = lanes_find_thread(lanes, tid);

	if (!tid) {
		sink_puts(sink, "idle task");
		return;
	}
	if (thread) {
		sink_text(sink, strings_get(&lanes->names, (str_id){ thread->comm }));
		sink_char(sink, ' ');
	}
	sink_printf(sink, "%" PRId32, (int32_t)tid);
}

void lanes_name(const struct lanes *lanes, uint32_t lane, struct sink *sink)
{
	const struct lane *row = &lanes->lanes.at[lane];
	bool is_cpu = lanes->options.by == LANES_BY_CPU;

	if (row->other_count)
		sink_printf(sink, "%" PRIu32 " other %s%s", row->other_count,
			    is_cpu ? "CPU" : "thread", row->other_count == 1 ? "" : "s");
	else if (is_cpu && row->key == EVENT_NO_CPU)
		sink_puts(sink, "CPU not recorded");
	else if (is_cpu)
		sink_printf(sink, "CPU %" PRIu32, row->key);
	else
		lanes_thread_name(lanes, row->key, sink);
}

bool lanes_have_sums(const struct lanes *lanes)
{
	return lanes->counts.has_switches || !lanes->counts.mark_ns;
}

uint64_t lanes_running_ns(const struct lanes *lanes, const struct lane *lane)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < lanes->kinds.count; i++)
		if (lanes->kinds.at[i].state == SCHEDULE_RUNNING)
			sum_ns = saturate_add(sum_ns, lane->sums[i].total_ns);
	return sum_ns;
}

static void write_count(struct sink *sink, uint64_t count, const char *one, const char *many)
{
	number_grouped(sink, count);
	sink_puts(sink, count == 1 ? one : many);
}

void lanes_facts(const struct lanes_view *view, struct sink *sink)
{
	const struct lanes *lanes = view->lanes;
	const struct lanes_counts *counts = &lanes->counts;
	const struct profile *profile = view->profile;
	size_t shown =
		lanes->lanes.count - (lanes->lanes.at[lanes->lanes.count - 1].other_count != 0);

	sink_text(sink, text_basename(strings_get(profile->strings, profile->input_name)));
	sink_puts(sink, " · ");
	if (counts->has_switches)
		write_count(sink, counts->switch_count, " context switch", " context switches");
	if (counts->has_switches && counts->sample_count)
		sink_puts(sink, " and ");
	if (counts->sample_count)
		write_count(sink, counts->sample_count, " sample", " samples");
	sink_puts(sink, " over ");
	number_duration(sink, lanes->last_ns - lanes->first_ns);
	sink_puts(sink, " · ");
	if (shown < lanes->candidates.count)
		write_count(sink, shown, " of ", " of ");
	if (lanes->options.by == LANES_BY_CPU)
		write_count(sink, lanes->candidates.count, " CPU", " CPUs");
	else
		write_count(sink, lanes->candidates.count, " thread", " threads");
	sink_puts(sink, " · intervals shorter than ");
	number_duration(sink, lanes->column_ns);
	sink_puts(sink, " are merged");
	if (counts->mark_ns) {
		sink_puts(sink, " · samples without a sampling rate are marks of ");
		number_duration(sink, counts->mark_ns);
	}
	if (counts->missing_count) {
		sink_puts(sink, " · ");
		write_count(sink, counts->missing_count, " switch is missing",
			    " switches are missing");
	}
}

static void write_kind(const struct lanes *lanes, uint32_t index, const struct lane_sum *sum,
		       struct json *json)
{
	const struct lane_kind *kind = &lanes->kinds.at[index];

	json_open_object(json, NULL);
	json_text(json, "state", text_of(state_names[kind->state]));
	if (kind->label && !kind->other_count)
		json_text(json, kind->state == SCHEDULE_BLOCKED ? "reason" : "label",
			  strings_get(&lanes->names, (str_id){ kind->label }));
	if (kind->task_state && !kind->other_count)
		json_text(json, "task_state", (struct text){ &kind->task_state, 1 });
	if (kind->other_count)
		json_u64(json, "others", kind->other_count);
	json_u64(json, "ns", sum->total_ns);
	json_u64(json, "count", sum->count);
	if (sum->longest_ns)
		json_u64(json, "longest_ns", sum->longest_ns);
	json_close_object(json);
}

/* Writes the sums of a lane, or of all lanes for NULL. */
static void write_sums(const struct lanes *lanes, const struct lane *lane, struct json *json)
{
	json_open_array(json, "states");
	for (uint32_t i = 0; i < lanes->kinds.count; i++) {
		struct lane_sum all = { lanes->kinds.at[i].total_ns, lanes->kinds.at[i].count, 0 };
		const struct lane_sum *sum = lane ? &lane->sums[i] : &all;

		if (sum->count)
			write_kind(lanes, i, sum, json);
	}
	json_close_array(json);
}

static void write_lane(const struct lanes *lanes, uint32_t index, struct json *json)
{
	const struct lane *lane = &lanes->lanes.at[index];
	const struct lane_thread *thread = lanes_find_thread(lanes, lane->key);
	struct sink name;

	sink_init_memory(&name);
	lanes_name(lanes, index, &name);
	json_open_object(json, NULL);
	json_text(json, "name", sink_memory(&name));
	if (lane->other_count) {
		json_u64(json, "others", lane->other_count);
	} else if (lanes->options.by == LANES_BY_CPU) {
		json_u64(json, "cpu", lane->key);
	} else {
		if (thread && thread->pid != EVENT_NO_TID)
			json_u64(json, "pid", thread->pid);
		json_u64(json, "tid", lane->key);
	}
	write_sums(lanes, lane, json);
	json_close_object(json);
	sink_deinit(&name);
}

void lanes_write_json(const struct lanes_view *view, struct sink *sink)
{
	const struct lanes *lanes = view->lanes;
	const struct profile *profile = view->profile;
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "input", strings_get(profile->strings, profile->input_name));
	json_text(&json, "by", text_of(lanes->options.by == LANES_BY_CPU ? "cpu" : "thread"));
	json_u64(&json, "first_ns", lanes->first_ns);
	json_u64(&json, "last_ns", lanes->last_ns);
	json_u64(&json, "column_ns", lanes->column_ns);
	if (lanes->counts.mark_ns)
		json_u64(&json, "mark_ns", lanes->counts.mark_ns);
	json_u64(&json, "switches", lanes->counts.switch_count);
	json_u64(&json, "samples", lanes->counts.sample_count);
	json_u64(&json, "missing_switches", lanes->counts.missing_count);
	json_u64(&json, "events_without_time", lanes->counts.timeless_count);
	write_sums(lanes, NULL, &json);
	json_open_array(&json, "lanes");
	for (uint32_t i = 0; i < lanes->lanes.count; i++)
		write_lane(lanes, i, &json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static void write_tsv_row(const struct lanes *lanes, struct text name, uint64_t from_ns,
			  uint64_t to_ns, uint32_t index, struct lane_sum sum, struct sink *sink)
{
	const struct lane_kind *kind = &lanes->kinds.at[index];

	escape_terminal(sink, name);
	sink_char(sink, '\t');
	heat_map_seconds(from_ns, sink);
	sink_char(sink, '\t');
	heat_map_seconds(to_ns, sink);
	sink_printf(sink, "\t%s\t", state_names[kind->state]);
	if (kind->other_count)
		sink_puts(sink, "others");
	else if (kind->label)
		escape_terminal(sink, strings_get(&lanes->names, (str_id){ kind->label }));
	else if (kind->task_state)
		sink_char(sink, kind->task_state);
	sink_printf(sink, "\t%" PRIu64 "\t%" PRIu64 "\n", sum.total_ns, sum.count);
}

void lanes_write_tsv(const struct lanes_view *view, struct sink *sink)
{
	const struct lanes *lanes = view->lanes;
	struct sink name;

	sink_init_memory(&name);
	sink_puts(sink, "lane\tstart\tend\tstate\twhat\tnanoseconds\tcount\n");
	for (uint32_t i = 0; i < lanes->lanes.count; i++) {
		const struct lane *lane = &lanes->lanes.at[i];
		size_t cell = 0;

		name.used = 0;
		lanes_name(lanes, i, &name);
		for (size_t k = 0; k <= lane->spans.count; k++) {
			const struct lane_span *span =
				k < lane->spans.count ? &lane->spans.at[k] : NULL;

			for (; cell < lane->cells.count; cell++) {
				const struct lane_cell *row = &lane->cells.at[cell];
				uint64_t from_ns = lanes->first_ns + row->column * lanes->column_ns;

				if (span && from_ns > span->from_ns)
					break;
				write_tsv_row(lanes, sink_memory(&name), from_ns,
					      saturate_add(from_ns, lanes->column_ns), row->kind,
					      (struct lane_sum){ row->total_ns, row->count, 0 },
					      sink);
			}
			if (span)
				write_tsv_row(
					lanes, sink_memory(&name), span->from_ns, span->to_ns,
					span->kind,
					(struct lane_sum){ span->to_ns - span->from_ns, 1, 0 },
					sink);
		}
	}
	sink_deinit(&name);
}
