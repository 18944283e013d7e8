/* SPDX-License-Identifier: MIT */
#include "tools/report/report_latency.h"

#include "cli/gate.h"
#include "cli/pairing_settings.h"
#include "cli/svg_output.h"
#include "cli/table_gates.h"
#include "cli/value_gates.h"
#include "histogram/histogram_set.h"
#include "render/svg/histogram_svg.h"
#include "render/text/histogram_text.h"
#include "render/text/latency.h"
#include "render/text/latency_list.h"
#include "session/off_cpu.h"

/* The number of intervals that --list prints without -n. */
#define LISTED_DEFAULT 10
/* The number of groups written without -n, in addition to the group of all values. */
#define GROUPS_DEFAULT 10

static bool is_json(const struct settings *settings)
{
	return settings->report.format == TABLE_FORMAT_JSON;
}

static void write_list(const struct settings *settings, const struct inputs *inputs,
		       const struct profile *profile, struct sink *sink)
{
	struct latency_list_options options = {
		.input_name = strcmp(inputs->paths.at[0], "-") == 0 ? NULL : inputs->paths.at[0],
		.is_json = is_json(settings),
		.limit = settings->pairing.list_max,
	};

	latency_list_write(profile, &options, sink);
}

/* Writes the table, and checks limits on all rows, even if few are written. */
static enum exit_code write_latency(const struct settings *settings, const struct profile *profile,
				    struct sink *sink)
{
	struct latency_options options = {
		.row_name = settings->report.latency,
		.level_count = strcmp(settings->report.latency, "stack") == 0
				       ? 0
				       : settings->view.grouping.count,
		.format = (enum table_format)settings->report.format,
		.has_windows = settings->view.selection.times_ns.count ||
			       settings->view.selection.time_shares.count || settings->around,
		.limit = settings->limit,
	};
	enum exit_code code;
	struct table table;

	latency_write(profile, &options, sink);
	if (!settings->diff.limits.count)
		return EXIT_DONE;
	options.limit = 0;
	options.names_rows = true;
	latency_make(profile, &options, &table);
	code = table_gates_check(settings, &table);
	table_deinit(&table);
	return code;
}

bool report_latency_has_histograms(const struct settings *settings)
{
	return settings->report.histogram ||
	       (settings->report.latency && settings->diff.before.count);
}

/* Whether options for tables of functions are given. */
static bool has_table_options(const struct report_settings *report)
{
	return report->sort || report->shown || report->least_percent > 0 ||
	       report->order != REPORT_SELF_FIRST || report->columns_shown.omits_totals;
}

static bool check_histograms(const struct settings *settings, struct error *err)
{
	const char *scale = settings->report.histogram;

	if (scale && *scale && strcmp(scale, "log") != 0 && strcmp(scale, "linear") != 0)
		return error_set(err, ERROR_USAGE, "--histogram must be log or linear, not \"%s\"",
				 scale);
	if (settings->report.lists_latencies)
		return error_set(err, ERROR_USAGE,
				 "--list cannot be combined with --histogram or --compare");
	if (!settings->report.latency &&
	    (settings->report.by || has_table_options(&settings->report)))
		return error_set(err, ERROR_USAGE,
				 "--histogram cannot be combined with --by, --sort, --children, "
				 "--no-children, --show or --percent-limit");
	if (settings->report.draws_histogram_svg && is_json(settings))
		return error_set(err, ERROR_USAGE, "--svg cannot be combined with --json");
	if (settings->report.draws_histogram_svg && !svg_output_check(settings, err))
		return false;
	return value_gates_parse_quantiles(settings, err);
}

static bool build_set(const struct settings *settings, struct inputs *inputs,
		      struct profile *profile, struct histogram_set *ret)
{
	struct histogram_set_options options = {
		.are_durations = settings->report.latency,
		.level_count =
			settings->report.latency && strcmp(settings->report.latency, "stack") != 0
				? settings->view.grouping.count
				: 0,
	};

	*ret = (struct histogram_set){ .unit_ns = 0 };
	if (!(settings->report.latency
		      ? pairing_settings_build_profile(inputs, profile)
		      : inputs_build_profile(inputs, session_build_profile, profile)))
		return false;
	if (!histogram_set_make(ret, profile, &options, &inputs->err)) {
		error_prefix(&inputs->err, "%s", inputs->paths.at[0]);
		inputs_check(inputs, false);
	}
	if (!inputs->has_failed && !ret->rows.count)
		inputs_check(inputs, error_set(&inputs->err, ERROR_NO_MATCH,
					       "%s: the input has no "
					       "values",
					       inputs->paths.at[0]));
	return !inputs->has_failed;
}

static void write_histograms(const struct settings *settings, const struct histogram_set *set,
			     const struct histogram_set *before,
			     const struct histogram_text_options *options, struct sink *sink)
{
	const struct histogram_svg_options drawing = {
		.is_linear = options->is_linear,
		.row_count = histogram_row_count(set, options->limit),
		.before = before,
	};

	if (settings->report.draws_histogram_svg)
		histogram_svg_write(set, &drawing, sink);
	else if (before)
		histogram_text_compare(before, set, options, sink);
	else
		histogram_text_write(set, options, sink);
}

static enum exit_code write_comparison(const struct settings *settings, struct inputs *inputs,
				       const struct histogram_set *after,
				       const struct histogram_text_options *options,
				       struct sink *sink)
{
	struct inputs of_before = { .settings = settings, .paths = settings->diff.before };
	enum exit_code code = EXIT_DONE;
	struct histogram_set before;
	struct profile profile;

	if (build_set(settings, &of_before, &profile, &before) &&
	    histogram_sets_match(&before, after, &of_before.err)) {
		write_histograms(settings, after, &before, options, sink);
		code = value_gates_check(settings, &before, after);
	} else {
		inputs->err = of_before.err;
		inputs_check(inputs, false);
	}
	inputs->is_partial |= of_before.is_partial;
	histogram_set_deinit(&before);
	profile_deinit(&profile);
	return code;
}

enum exit_code report_latency_run_histograms(struct settings *settings)
{
	struct histogram_text_options options = {
		.is_json = is_json(settings),
		.is_linear = settings->report.histogram &&
			     strcmp(settings->report.histogram, "linear") == 0,
		.limit = settings->limit ? settings->limit : GROUPS_DEFAULT,
	};
	enum exit_code gates = EXIT_DONE;
	struct histogram_set set;
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	if (!check_histograms(settings, &err))
		return command_fail(&err);
	command_open(&inputs, &output, settings);
	if (build_set(settings, &inputs, &profile, &set)) {
		if (settings->diff.before.count)
			gates = write_comparison(settings, &inputs, &set, &options, &output.sink);
		else {
			write_histograms(settings, &set, NULL, &options, &output.sink);
			gates = value_gates_check(settings, NULL, &set);
		}
	}
	histogram_set_deinit(&set);
	profile_deinit(&profile);
	return gate_worst(command_close(&inputs, &output), gates);
}

/* Groups stacks by the key of --latency. */
static bool group_rows(struct settings *settings, struct error *err)
{
	if (!*settings->report.latency)
		settings->report.latency = "stack";
	if (strcmp(settings->report.latency, "key") == 0)
		return pairing_key_group(settings->pairing.key, &settings->view.grouping, err);
	if (strcmp(settings->report.latency, "thread") == 0)
		return grouping_parse("comm,tid", &settings->view.grouping, err);
	return strcmp(settings->report.latency, "stack") == 0 ||
	       grouping_parse(settings->report.latency, &settings->view.grouping, err) ||
	       error_set(err, ERROR_USAGE,
			 "--latency must be stack, thread, key, or a list of comm, pid, tid, cpu "
			 "and event fields, not \"%s\"",
			 settings->report.latency);
}

static bool check_latency(const struct settings *settings, struct error *err)
{
	if (settings->report.lists_latencies && settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "--list requires a single input, because windows of several "
				 "captures cannot be distinguished");
	return !(settings->weight || settings->depth_max || settings->report.by || settings->dsos ||
		 settings->symbols || has_table_options(&settings->report)) ||
	       error_set(
		       err, ERROR_USAGE,
		       "--latency cannot be combined with --by, --sort, --children, --no-children, "
		       "--show, --percent-limit, --weight, --max-depth, --dso or --symbol");
}

enum exit_code report_latency_run(struct settings *settings)
{
	enum exit_code limits = EXIT_DONE;
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	settings->pairing.groups_by_duration = true;
	settings->pairing.has_singles = settings->inputs.count <= 1;
	if (settings->report.lists_latencies) {
		settings->pairing.list_max = settings->limit ? settings->limit : LISTED_DEFAULT;
		settings->pairing.prefers_wakers = true;
	}
	if (!check_latency(settings, &err) || !group_rows(settings, &err) ||
	    !pairing_settings_finish(settings, &err))
		return command_fail(&err);
	if (report_latency_has_histograms(settings)) {
		settings->pairing.has_singles = false;
		return report_latency_run_histograms(settings);
	}
	command_open(&inputs, &output, settings);
	if (pairing_settings_build_profile(&inputs, &profile)) {
		if (settings->report.lists_latencies)
			write_list(settings, &inputs, &profile, &output.sink);
		else
			limits = write_latency(settings, &profile, &output.sink);
	}
	profile_deinit(&profile);
	return gate_worst(command_close(&inputs, &output), limits);
}
