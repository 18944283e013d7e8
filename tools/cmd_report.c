/* SPDX-License-Identifier: MIT */
#include "cli/gate.h"
#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "cli/pairing_settings.h"
#include "cli/report_settings.h"
#include "cli/table_gates.h"
#include "diff/diff.h"
#include "render/report/call_tree_text.h"
#include "render/report/event_columns.h"
#include "render/report/outlier_table.h"
#include "render/report/report.h"
#include "render/text/counters.h"
#include "session/branch_reader.h"
#include "session/memory_reader.h"
#include "tools/report/report_latency.h"

static bool is_json(const struct settings *settings)
{
	return settings->report.format == TABLE_FORMAT_JSON;
}

static struct report_options table_options(const struct settings *settings)
{
	return (struct report_options){
		.columns = &settings->report.columns,
		.format = (enum table_format)settings->report.format,
		.shown = settings->report.columns_shown,
		.limit = settings->limit,
		.order = (enum report_order)settings->report.order,
		.assumes_samples = settings->diff.assumes_samples,
		.least_percent = settings->report.least_percent,
	};
}

/* The caller frees the table, then its rows. */
static void make_table(const struct settings *settings, const struct profile *profile,
		       const struct report_options *options, struct report_rows *rows,
		       struct table *ret)
{
	if (settings->report.has_event_columns)
		event_columns_make(profile, options, rows, ret);
	else
		report_make(profile, options, rows, ret);
}

static void write_counters(const struct settings *settings, const struct profile *profile,
			   struct sink *sink)
{
	struct counters_options counters = {
		.event_pattern = settings->view.event_pattern,
		.is_json = is_json(settings),
	};

	counters_write(profile, &counters, sink);
}

static void write_table(const struct settings *settings, const struct profile *profile,
			struct sink *sink)
{
	struct report_options options = table_options(settings);
	struct report_rows rows;
	struct table table;

	if (profile->is_counted) {
		write_counters(settings, profile, sink);
		return;
	}
	make_table(settings, profile, &options, &rows, &table);
	table_write(&table, options.format, sink);
	table_deinit(&table);
	report_rows_deinit(&rows);
}

/* Checks limits on all rows, even if few are written. */
static enum exit_code check_limits(const struct settings *settings, const struct profile *profile)
{
	struct report_options options = table_options(settings);
	struct report_rows rows;
	struct table table;
	enum exit_code code;

	if (!settings->diff.limits.count)
		return EXIT_DONE;
	options.format = TABLE_FORMAT_CSV;
	options.limit = 0;
	options.least_percent = 0;
	options.names_rows = true;
	make_table(settings, profile, &options, &rows, &table);
	code = table_gates_check(settings, &table);
	table_deinit(&table);
	report_rows_deinit(&rows);
	return code;
}

/* Converts columns to a key by which kiln diff can compare. */
static bool diff_key_of(const struct grouping *columns, enum diff_key *ret)
{
	static const struct {
		enum group_by column;
		enum diff_key key;
	} rows[] = {
		{ GROUP_SYMBOL, DIFF_KEY_FUNCTION },
		{ GROUP_DSO, DIFF_KEY_MODULE },
		{ GROUP_COMM, DIFF_KEY_GROUP },
		{ GROUP_SRCLINE, DIFF_KEY_LINE },
	};

	for (size_t i = 0; columns->count == 1 && i < ARRAY_SIZE(rows); i++)
		if (rows[i].column == columns->by[0]) {
			*ret = rows[i].key;
			return true;
		}
	return false;
}

/* Runs --compare as kiln diff, with the inputs as the AFTER side. */
static enum exit_code run_comparison(struct settings *settings)
{
	static const enum diff_format formats[] = {
		[TABLE_FORMAT_TEXT] = DIFF_FORMAT_TABLE,
		[TABLE_FORMAT_JSON] = DIFF_FORMAT_JSON,
		[TABLE_FORMAT_MARKDOWN] = DIFF_FORMAT_MARKDOWN,
	};
	enum diff_key key;
	struct error err;

	if (!diff_key_of(&settings->report.columns, &key)) {
		error_set(&err, ERROR_USAGE,
			  "--compare requires --by with a single key: symbol, dso, comm or "
			  "srcline");
		return command_fail(&err);
	}
	if (!settings->inputs.count) {
		error_set(&err, ERROR_USAGE,
			  "--compare BEFORE requires an INPUT to compare with "
			  "BEFORE");
		return command_fail(&err);
	}
	settings->diff.key = (int)key;
	settings->diff.after = settings->inputs;
	settings->inputs = (text_list){ 0 };
	settings->diff.format = formats[settings->report.format];
	return command_diff.run(settings);
}

static bool check_table(const struct settings *settings, const struct profile *profile,
			struct error *err)
{
	if (settings->report.has_event_columns && !event_columns_check(profile, err))
		return false;
	if (profile->is_counted && settings->diff.limits.count)
		return error_set(
			err, ERROR_USAGE,
			"kiln report cannot check limits on counters; use kiln diff --fail-if "
			"to compare the counters with another run");
	return !profile->is_counted || settings->report.format == TABLE_FORMAT_TEXT ||
	       is_json(settings) ||
	       error_set(err, ERROR_USAGE, "counters support only --format text and json, not %s",
			 table_format_names[settings->report.format]);
}

static enum exit_code run_table(struct settings *settings)
{
	enum exit_code limits = EXIT_DONE;
	struct inputs inputs;
	struct output output;
	struct profile profile;

	settings->is_read_once = true;
	settings->shows_counters = true;
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile)) {
		inputs_check(&inputs, check_table(settings, &profile, &inputs.err));
		if (!inputs.has_failed) {
			write_table(settings, &profile, &output.sink);
			limits = check_limits(settings, &profile);
		}
	}
	profile_deinit(&profile);
	return gate_worst(command_close(&inputs, &output), limits);
}

static enum exit_code run_outliers(struct settings *settings)
{
	struct report_options options = table_options(settings);
	struct inputs inputs;
	struct output output;
	struct profile profile;

	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile))
		inputs_check(&inputs,
			     outlier_table_write(&profile, &options, &output.sink, &inputs.err));
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

/* Makes a table of records. for_limits: whether to include all rows and their names. */
typedef void record_table_maker(const struct settings *settings, const struct session *session,
				bool for_limits, struct table *ret);

static void make_branches(const struct settings *settings, const struct session *session,
			  bool for_limits, struct table *ret)
{
	const struct branch_table_options options = {
		.format = (enum table_format)settings->report.format,
		.by = settings->report.branches_by,
		.naming = &settings->view.naming,
		.least_percent = for_limits ? 0 : settings->report.least_percent,
		.limit = for_limits ? 0 : settings->limit,
		.names_rows = for_limits,
	};

	branch_table_make(&session->branches, &session->profile, &session->locations, &options,
			  ret);
}

static void make_memory(const struct settings *settings, const struct session *session,
			bool for_limits, struct table *ret)
{
	const struct memory_table_options options = {
		.format = (enum table_format)settings->report.format,
		.naming = &settings->view.naming,
		.least_percent = for_limits ? 0 : settings->report.least_percent,
		.limit = for_limits ? 0 : settings->limit,
		.names_rows = for_limits,
	};

	memory_table_make(&session->memory, &session->profile, &session->locations,
			  &session->data_locations, &options, ret);
}

/* Runs --branches and --mem. */
static enum exit_code run_records(struct settings *settings, session_reader *read,
				  record_table_maker *make)
{
	enum exit_code limits = EXIT_DONE;
	struct inputs inputs;
	struct output output;
	struct table table;

	command_open(&inputs, &output, settings);
	if (inputs_next(&inputs) && inputs_read(&inputs, read)) {
		make(settings, &inputs.session, false, &table);
		table_write(&table, (enum table_format)settings->report.format, &output.sink);
		table_deinit(&table);
		if (settings->diff.limits.count) {
			make(settings, &inputs.session, true, &table);
			limits = table_gates_check(settings, &table);
			table_deinit(&table);
		}
	}
	inputs_close(&inputs, NULL);
	(void)!inputs_finish(&inputs);
	return gate_worst(command_close(&inputs, &output), limits);
}

static bool is_of_calls(const struct report_settings *report)
{
	return report->tree || report->callers || report->callees || report->peek;
}

/*
 * Writes the tree of --tree, --callers, --callees or --peek. functions: the names to match; empty
 * for --tree.
 */
static void write_calls(const struct settings *settings, const struct profile *profile,
			const name_patterns *functions, struct sink *sink)
{
	const struct report_settings *report = &settings->report;
	struct call_tree_options options = {
		.format = (enum table_format)report->format,
		.kind = report->callers   ? CALL_TREE_CALLERS
			: report->callees ? CALL_TREE_CALLEES
					  : CALL_TREE_WHOLE,
		.least_percent = report->least_percent,
		.limit = settings->limit,
	};
	struct call_tree tree, callers;

	if (!report->peek) {
		call_tree_init(&tree, profile, options.kind, functions);
		call_tree_write(&tree, &options, sink);
		call_tree_deinit(&tree);
		return;
	}
	call_tree_init_direct(&callers, profile, CALL_TREE_CALLERS, functions);
	call_tree_init_direct(&tree, profile, CALL_TREE_CALLEES, functions);
	call_tree_write_peek(&callers, &tree, &options, sink);
	call_tree_deinit(&tree);
	call_tree_deinit(&callers);
}

static bool has_function(const struct profile *profile, const name_patterns *functions)
{
	for (uint32_t i = 0; i < profile->frames.count; i++)
		if (name_patterns_fit(functions, profile_frame_name(profile, (frame_id){ i })))
			return true;
	return false;
}

/* Runs --tree, --callers, --callees and --peek. */
static enum exit_code run_calls(struct settings *settings)
{
	const struct report_settings *report = &settings->report;
	const char *names = report->callers   ? report->callers
			    : report->callees ? report->callees
					      : report->peek;
	name_patterns functions = { 0 };
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	if (names && !name_patterns_parse("callers, --callees or --peek", names, &functions, &err))
		return command_fail(&err);
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile)) {
		if (names && !has_function(&profile, &functions))
			inputs_check(
				&inputs,
				error_set(&inputs.err, ERROR_NO_MATCH,
					  "no frame is named %s; a pattern such as '*%s*' also "
					  "matches parts of names",
					  names, names));
		else
			write_calls(settings, &profile, &functions, &output.sink);
	}
	profile_deinit(&profile);
	name_patterns_deinit(&functions);
	return command_close(&inputs, &output);
}

/* Whether the table can be written in the requested format. */
static bool check_format(const struct settings *settings, struct error *err)
{
	const struct report_settings *report = &settings->report;
	bool is_of_bars = report->histogram || report->lists_latencies;
	bool is_comparison = settings->diff.before.count;
	enum table_format format = (enum table_format)report->format;

	if (format == TABLE_FORMAT_TEXT || format == TABLE_FORMAT_JSON)
		return true;
	if (is_of_bars || (is_comparison && report->latency))
		return error_set(err, ERROR_USAGE,
				 "--histogram, --list and --latency --compare support only "
				 "--format text and json, not %s",
				 table_format_names[format]);
	return !is_comparison || format == TABLE_FORMAT_MARKDOWN ||
	       error_set(err, ERROR_USAGE,
			 "--compare supports only --format text, markdown and json, not %s",
			 table_format_names[format]);
}

/* Whether at most one kind of table is requested. */
static bool check_tables(const struct settings *settings, struct error *err)
{
	const struct report_settings *report = &settings->report;
	const struct {
		const char *option;
		bool is_given;
	} tables[] = {
		{ "--latency or --histogram", report->latency || report->histogram },
		{ "--compare",
		  !report->latency && !report->histogram && settings->diff.before.count },
		{ "--branches", report->branches },
		{ "--mem", report->memory },
		{ "--outliers", report->outliers },
		{ "call trees", is_of_calls(report) },
		{ "--event-columns", report->has_event_columns },
	};
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (!tables[i].is_given)
			continue;
		if (first)
			return error_set(err, ERROR_USAGE, "%s cannot be combined with %s",
					 tables[i].option, first);
		first = tables[i].option;
	}
	return true;
}

/*
 * Checks that the table can have limits, and their syntax. For distributions, check_histograms does
 * this.
 */
static bool check_limited(const struct settings *settings, struct error *err)
{
	const struct report_settings *report = &settings->report;

	if (!settings->diff.limits.count || report_latency_has_histograms(settings))
		return true;
	if (settings->diff.before.count)
		return error_set(err, ERROR_USAGE,
				 "--fail-if cannot be combined with --compare; to fail when a "
				 "function grows, use kiln diff --fail-if");
	if (is_of_calls(report) || report->lists_latencies)
		return error_set(err, ERROR_USAGE,
				 "--fail-if cannot be combined with --list or call trees");
	return table_gates_parse(settings, err);
}

static bool check(const struct settings *settings, struct error *err)
{
	if (!gate_check_uncertain(settings, err))
		return false;
	if (!check_format(settings, err))
		return false;
	if (!check_tables(settings, err))
		return false;
	if (!check_limited(settings, err))
		return false;
	if (settings->report.draws_histogram_svg && !report_latency_has_histograms(settings))
		return error_set(err, ERROR_USAGE, "--svg requires --histogram");
	if (settings->report.lists_latencies && !settings->report.latency)
		return error_set(err, ERROR_USAGE, "--list requires --latency");
	return settings->report.latency || !pairing_settings_has_any(settings) ||
	       error_set(err, ERROR_USAGE,
			 "kiln report accepts off-CPU options only with "
			 "--latency");
}

static enum exit_code run(struct settings *settings)
{
	struct error err;

	if (!report_settings_set_graph(&settings->report, &err) || !check(settings, &err))
		return command_fail(&err);
	/* perf report prints the parentheses of operator() and of thunks; only scripts cut them. */
	settings->view.naming.keeps_arguments = settings->view.naming.uses_perf_names;
	if (settings->report.histogram && !settings->report.latency)
		return report_latency_run_histograms(settings);
	if (!report_settings_finish(settings, &err))
		return command_fail(&err);
	if (settings->report.latency)
		return report_latency_run(settings);
	if (settings->report.branches)
		return run_records(settings, session_build_branches, make_branches);
	if (settings->report.memory)
		return run_records(settings, session_build_memory, make_memory);
	if (settings->report.outliers)
		return run_outliers(settings);
	if (is_of_calls(&settings->report))
		return run_calls(settings);
	if (settings->diff.before.count) {
		settings->shows_counters = true;
		return run_comparison(settings);
	}
	return run_table(settings);
}

static const struct option_group *const groups[] = {
	&settings_report,          &settings_report_latency,
	&pairing_settings,         &pairing_waits,
	&settings_weight,          &settings_selection,
	&settings_frame_selection, &settings_symbols,
	&settings_resolving,       &settings_naming,
	&settings_frames,          &settings_common,
	&settings_perf_table,      &settings_perf_input,
	&settings_perf_selection,  &settings_perf_symbols,
	&foreign_report,           NULL,
};

static const char *const common[] = {
	"output", "by",      "sort",    "limit",   "format", "tree", "callers",
	"peek",   "fail-if", "compare", "latency", "event",  "comm", "pid",
	"time",   "weight",  "symbols", "jobs",    "quiet",  "help", NULL,
};

const struct command command_report = {
	.name = "report",
	.topic = TOPIC_TABULATE,
	.summary = "list the hottest functions, DSOs or threads, or list wait times",
	.description =
		"Prints a table of functions. Self is the share of samples with the function as "
		"their leaf frame. Total is the share of samples with the function anywhere on "
		"their stack. With --latency, prints wait times instead.",
	.examples = { "kiln report --by comm,dso -n 20 perf.data",
		      "kiln report --latency=comm sched.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
