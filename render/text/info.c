/* SPDX-License-Identifier: MIT */
#include "render/text/info.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/vec.h"
#include "process/loss.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"
#include "render/text/caveats.h"
#include "render/text/pairing_caveats.h"

struct label {
	const char *key;   /* in JSON */
	const char *label; /* in text */
};

static const struct label fact_labels[FACT_COUNT] = {
	[FACT_FORMAT] = { "format", "format" },
	[FACT_INPUT_FORMAT] = { "input_format", "input format" },
	[FACT_EVIDENCE] = { "evidence", "evidence" },
	[FACT_BYTE_ORDER] = { "byte_order", "byte order" },
	[FACT_HOST] = { "host", "host" },
	[FACT_OS_RELEASE] = { "os_release", "kernel" },
	[FACT_ARCH] = { "arch", "architecture" },
	[FACT_TOOL_VERSION] = { "perf_version", "tool version" },
	[FACT_COMMAND_LINE] = { "command_line", "command line" },
	[FACT_CPU] = { "cpu", "CPU" },
	[FACT_CPU_ID] = { "cpu_id", "CPU id" },
	[FACT_CPUS_ONLINE] = { "cpus_online", "CPUs online" },
	[FACT_CPUS_AVAILABLE] = { "cpus_available", "CPUs present" },
	[FACT_MEMORY_KIB] = { "memory_kib", "memory (KiB)" },
	[FACT_SAMPLE_TIME_FIRST] = { "sample_time_first", "first sample" },
	[FACT_SAMPLE_TIME_LAST] = { "sample_time_last", "last sample" },
	[FACT_CLOCK] = { "clock", "clock" },
	[FACT_WALL_CLOCK] = { "wall_clock", "wall clock" },
	[FACT_PMU_MAPPINGS] = { "pmu_mappings", "PMUs" },
	[FACT_EVENT_GROUPS] = { "event_groups", "event groups" },
	[FACT_CPU_TOPOLOGY] = { "cpu_topology", "CPU topology" },
	[FACT_NUMA_TOPOLOGY] = { "numa_topology", "NUMA topology" },
	[FACT_CACHES] = { "caches", "caches" },
	[FACT_COMPRESSION] = { "compression", "compression" },
	[FACT_SNAPSHOTS] = { "snapshots", "snapshots" },
	[FACT_CAPTURES] = { "captures", "captures" },
	[FACT_FEATURES_MISSING] = { "features_missing", "not recorded" },
};

#define LABEL_COLUMNS 16

static void write_label(struct sink *sink, const char *label)
{
	sink_printf(sink, "%-*s ", LABEL_COLUMNS, label);
}

static void write_count(struct sink *sink, const char *label, uint64_t count)
{
	write_label(sink, label);
	number_grouped(sink, count);
	sink_char(sink, '\n');
}

/* Writes the counts of impossible times. */
static void write_time_faults(const struct time_faults *faults, struct sink *sink)
{
	if (faults->backward_count) {
		write_label(sink, "backward times");
		number_grouped(sink, faults->backward_count);
		sink_puts(sink, faults->backward_count == 1 ? " sample is" : " samples are");
		sink_puts(sink, " earlier than the previous one of the same thread and CPU, by up "
				"to ");
		number_duration(sink, faults->backward_max_ns);
		sink_char(sink, '\n');
	}
	if (faults->is_limited) {
		write_label(sink, "backward times");
		sink_puts(sink, "not counted for all threads, because there are too many\n");
	}
	if (faults->zero_count)
		write_count(sink, "zero times", faults->zero_count);
}

static void write_wall_clock(const struct profile *profile, struct sink *sink)
{
	bool is_perf = profile->facts[FACT_INPUT_FORMAT].at &&
		       text_is(profile->facts[FACT_INPUT_FORMAT], "perf");

	write_label(sink, fact_labels[FACT_WALL_CLOCK].label);
	if (profile->clock.is_known)
		sink_puts(sink, "the capture's clock\n");
	else
		sink_puts(sink, is_perf ? "not known; " WALL_CLOCK_ADVICE "\n" : "not known\n");
}

static void write_facts(const struct profile *profile, struct sink *sink)
{
	write_label(sink, "input");
	escape_terminal(sink, strings_get(profile->strings, profile->input_name));
	sink_char(sink, '\n');
	for (size_t i = 0; i < FACT_COUNT; i++) {
		if (!profile->facts[i].at)
			continue;
		write_label(sink, fact_labels[i].label);
		escape_terminal(sink, profile->facts[i]);
		sink_char(sink, '\n');
	}
	if (profile->facts[FACT_CLOCK].at && !profile->facts[FACT_WALL_CLOCK].at)
		write_wall_clock(profile, sink);
	if (profile_has_time(profile)) {
		write_label(sink, "time span");
		number_duration(sink, profile->last_time_ns - profile->first_time_ns);
		sink_char(sink, '\n');
	}
	write_time_faults(&profile->time_faults, sink);
	write_count(sink, "samples", profile->sample_count);
	if (profile->unwound_count) {
		write_label(sink, "stack dumps");
		number_grouped(sink, profile->unwound_count);
		sink_puts(sink, ", unwound completely: ");
		number_grouped(sink, loss_complete_stacks(profile->losses, profile->unwound_count));
		sink_char(sink, '\n');
	}
	write_count(sink, "processes", profile->process_count);
	write_count(sink, "threads", profile->thread_count);
	write_count(sink, "mappings", profile->mapping_count);
}

static void write_branches(const struct branch_counts *counts, struct sink *sink)
{
	sink_puts(sink, "    ");
	number_grouped(sink, counts->count);
	sink_puts(sink, counts->count == 1 ? " branch" : " branches");
	if (counts->predicted || counts->mispredicted) {
		sink_puts(sink, ", ");
		number_grouped(sink, counts->mispredicted);
		sink_puts(sink, " mispredicted (");
		number_percent(sink, counts->mispredicted,
			       saturate_add(counts->predicted, counts->mispredicted));
		sink_char(sink, ')');
	}
	sink_puts(sink, ", ");
	number_grouped(sink, counts->aborts);
	sink_puts(sink, counts->aborts == 1 ? " abort\n" : " aborts\n");
}

static void write_events(const struct profile *profile, struct sink *sink)
{
	sink_puts(sink, "\nevents\n");
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		sink_puts(sink, "  ");
		escape_terminal(sink, strings_get(profile->strings, event->name));
		sink_puts(sink, ": ");
		if (event->unit != UNIT_MILLIONTHS) {
			number_grouped(sink, event->sample_count);
			sink_puts(sink, event->sample_count == 1 ? " sample" : " samples");
			sink_puts(sink, event->sample_count ? ", " : "");
		}
		if (event->sample_count || event->unit == UNIT_MILLIONTHS)
			number_weight(sink, event->period_sum, event->unit);
		if (event->is_frequency)
			sink_printf(sink, ", %" PRIu64 " Hz", event->sample_period);
		else if (event->sample_period)
			sink_printf(sink, ", every %" PRIu64, event->sample_period);
		if (event->has_branch_calls)
			sink_puts(sink, ", callchains from branch records");
		else if (event->has_callchain)
			sink_puts(sink, ", callchains");
		sink_char(sink, '\n');
		if (event->has_branches && !event->has_branch_calls)
			write_branches(&event->branches, sink);
	}
}

static void write_losses(const struct profile *profile, struct sink *sink)
{
	bool has_any = profile->partial_reason != NULL;

	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		has_any |= profile->losses[i] != 0;
	sink_puts(sink, has_any ? "\nlosses\n" : "\nlosses          none\n");
	if (profile->partial_reason) {
		sink_puts(sink, "  ");
		escape_terminal(sink, text_of(profile->partial_reason));
		sink_char(sink, '\n');
	}
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++) {
		if (!profile->losses[i])
			continue;
		sink_puts(sink, "  ");
		number_grouped(sink, profile->losses[i]);
		sink_printf(sink, " %s\n", loss_words((enum loss_kind)i, profile->losses[i]));
	}
}

/* Writes the share of the profile that has no names. */
static void write_names(const struct profile *profile, struct sink *sink)
{
	struct caveats caveats = caveats_of(profile, 0);
	struct sink line;

	sink_init_memory(&line);
	for (size_t i = 0; i < caveats.count; i++) {
		if (caveats.at[i].kind != CAVEAT_NAMES)
			continue;
		sink_puts(sink, line.used ? "" : "\nnames\n");
		line.used = 0;
		caveats_write(profile, &caveats, i, &line);
		sink_puts(sink, "  ");
		escape_terminal(sink, sink_memory(&line));
		sink_char(sink, '\n');
	}
	sink_deinit(&line);
}

static void write_records(const struct profile *profile, struct sink *sink)
{
	sink_puts(sink, "\nrecords\n");
	for (size_t i = 0; i < profile->records.count; i++) {
		const struct event_record_count *row = &profile->records.at[i];

		sink_printf(sink, "  %10" PRIu64 "  %3" PRIu32 " %-20s %s\n", row->count, row->type,
			    row->name.at ? row->name.at : "(unknown)",
			    row->is_used ? "used" : "skipped");
	}
}

void info_write_text(const struct profile *profile, const struct pairing_counts *pairs,
		     bool with_records, struct sink *sink)
{
	write_facts(profile, sink);
	write_events(profile, sink);
	write_losses(profile, sink);
	if (pairs)
		pairing_caveats_list(pairs, sink);
	if (with_records)
		write_records(profile, sink);
	write_names(profile, sink);
	info_files_write_text(profile, sink);
}

static void json_facts(const struct profile *profile, struct json *json)
{
	json_open_object(json, "capture");
	for (size_t i = 0; i < FACT_COUNT; i++)
		if (profile->facts[i].at)
			json_text(json, fact_labels[i].key, profile->facts[i]);
	json_close_object(json);
	json_u64(json, "samples", profile->sample_count);
	json_u64(json, "stack_dumps", profile->unwound_count);
	json_u64(json, "stack_dumps_complete",
		 loss_complete_stacks(profile->losses, profile->unwound_count));
	json_u64(json, "processes", profile->process_count);
	json_u64(json, "threads", profile->thread_count);
	json_u64(json, "mappings", profile->mapping_count);
	if (profile_has_time(profile)) {
		json_u64(json, "first_time_ns", profile->first_time_ns);
		json_u64(json, "last_time_ns", profile->last_time_ns);
		json_bool(json, "wall_clock_known", profile->clock.is_known);
		json_u64(json, "zero_times", profile->time_faults.zero_count);
		json_u64(json, "backward_times", profile->time_faults.backward_count);
		json_u64(json, "backward_times_max_ns", profile->time_faults.backward_max_ns);
	}
}

static void json_branches(const struct branch_counts *counts, struct json *json)
{
	json_open_object(json, "branches");
	json_u64(json, "count", counts->count);
	json_u64(json, "predicted", counts->predicted);
	json_u64(json, "mispredicted", counts->mispredicted);
	json_u64(json, "aborts", counts->aborts);
	json_close_object(json);
}

static void json_events(const struct profile *profile, struct json *json)
{
	json_open_array(json, "events");
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		json_open_object(json, NULL);
		json_text(json, "name", strings_get(profile->strings, event->name));
		json_unit(json, event->unit);
		json_u64(json, "samples", event->sample_count);
		json_weight(json, "period_sum", event->period_sum, event->unit);
		json_u64(json, event->is_frequency ? "frequency_hz" : "period",
			 event->sample_period);
		json_bool(json, "callchains", event->has_callchain);
		json_bool(json, "callchains_by_branches", event->has_branch_calls);
		if (event->has_branches && !event->has_branch_calls)
			json_branches(&event->branches, json);
		json_close_object(json);
	}
	json_close_array(json);
}

static void json_losses(const struct profile *profile, struct json *json)
{
	json_open_object(json, "losses");
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		json_u64(json, loss_text_of((enum loss_kind)i)->key, profile->losses[i]);
	json_close_object(json);
	json_bool(json, "partial", profile->partial_reason != NULL);
	if (profile->partial_reason)
		json_text(json, "partial_reason", text_of(profile->partial_reason));
}

static void json_names(const struct profile *profile, struct json *json)
{
	static const char *const keys[NAME_PROBLEM_COUNT] = {
		[NAME_UNKNOWN] = "unnamed",
		[NAME_UNVERIFIED] = "unverified",
		[NAME_NO_INLINES] = "without_inlines",
	};
	struct name_shares shares = name_shares_of(profile);

	json_open_object(json, "names");
	json_u64(json, "total", shares.total);
	for (int i = 0; i < NAME_PROBLEM_COUNT; i++)
		json_u64(json, keys[i], shares.problems[i].weight);
	json_close_object(json);
}

static void json_records(const struct profile *profile, struct json *json)
{
	json_open_array(json, "records");
	for (size_t i = 0; i < profile->records.count; i++) {
		const struct event_record_count *row = &profile->records.at[i];

		json_open_object(json, NULL);
		json_u64(json, "type", row->type);
		json_text(json, "name", row->name.at ? row->name : text_of(""));
		json_u64(json, "count", row->count);
		json_bool(json, "used", row->is_used);
		json_close_object(json);
	}
	json_close_array(json);
}

void info_write_json(const struct profile *profile, const struct pairing_counts *pairs,
		     struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "input", strings_get(profile->strings, profile->input_name));
	json_facts(profile, &json);
	json_events(profile, &json);
	json_losses(profile, &json);
	if (pairs)
		pairing_caveats_json(pairs, &json);
	json_records(profile, &json);
	json_names(profile, &json);
	info_files_write_json(profile, &json);
	json_close_object(&json);
	json_finish(&json);
}

static bool write_why_json(const struct profile *profile, struct text name, struct sink *sink)
{
	struct json json;
	bool is_there;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "input", strings_get(profile->strings, profile->input_name));
	is_there = info_files_write_why_json(profile, name, &json);
	json_close_object(&json);
	json_finish(&json);
	return is_there;
}

bool info_write_why(const struct profile *profile, struct text name, bool is_json,
		    struct sink *sink)
{
	return is_json ? write_why_json(profile, name, sink)
		       : info_files_write_why(profile, name, sink);
}
