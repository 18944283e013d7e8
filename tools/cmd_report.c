/* SPDX-License-Identifier: MIT */
#include "diff/diff.h"
#include "render/text/counters.h"
#include "render/text/latency.h"
#include "render/text/report.h"
#include "session/off_cpu.h"
#include "cli/command.h"
#include "cli/other_tools.h"
#include "cli/pairing_settings.h"

static bool write_report(const struct settings *settings, const struct profile *profile,
			 struct sink *sink, struct error *err)
{
	struct report_options options = {
		.columns = &settings->columns,
		.is_json = settings->is_json,
		.limit = settings->limit,
		.order = (enum report_order)settings->report_order,
		.least_percent = settings->least_percent,
	};

	(void)err;
	if (profile->is_counted)
		counters_write(profile,
			       &(struct counters_options){
				       .event_pattern = settings->event_pattern,
				       .is_json = settings->is_json,
			       },
			       sink);
	else
		report_write(profile, &options, sink);
	return true;
}

/* What kiln diff can have rows for. */
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

/* As kiln diff has it, the inputs being the side after. */
static enum exit_code run_comparison(struct settings *own)
{
	enum diff_key key;
	struct error err;

	if (!diff_key_of(&own->columns, &key)) {
		error_set(&err, ERROR_USAGE,
			  "--compare goes with --by symbol, dso, comm or srcline, one of them");
		return command_fail(&err);
	}
	if (!own->inputs.count) {
		error_set(&err, ERROR_USAGE,
			  "--compare wants an INPUT too: what has changed since");
		return command_fail(&err);
	}
	own->diff.key = (int)key;
	own->diff.after = own->inputs;
	own->inputs = (text_list){ 0 };
	own->diff.format = own->is_json ? DIFF_FORMAT_JSON : DIFF_FORMAT_TABLE;
	return command_diff.run(own);
}

static bool write_latency(const struct settings *settings, const struct profile *profile,
			  struct sink *sink, struct error *err)
{
	struct latency_options options = {
		.row_name = settings->latency,
		.level_count =
			strcmp(settings->latency, "stack") == 0 ? 0 : settings->grouping.count,
		.is_json = settings->is_json,
		.has_windows =
			settings->selection.times_ns.count || settings->selection.time_shares.count,
		.limit = settings->limit,
	};

	(void)err;
	latency_write(profile, &options, sink);
	return true;
}

/* What rows are of is what stacks stand on. */
static bool group_rows(struct settings *settings, struct error *err)
{
	if (!*settings->latency)
		settings->latency = "stack";
	if (strcmp(settings->latency, "key") == 0)
		return pairing_key_group(settings->pairing.key, &settings->grouping, err);
	if (strcmp(settings->latency, "thread") == 0)
		return grouping_parse("comm,tid", &settings->grouping, err);
	return strcmp(settings->latency, "stack") == 0 ||
	       grouping_parse(settings->latency, &settings->grouping, err) ||
	       error_set(err, ERROR_USAGE,
			 "--latency is stack, thread, key, or a list of comm, pid, tid, cpu and "
			 "fields of the event; not \"%s\"",
			 settings->latency);
}

static enum exit_code run_latency(struct settings *settings)
{
	struct error err;

	if (settings->weight || settings->depth_max || settings->diff.before.count ||
	    settings->report_by || settings->dsos || settings->symbols) {
		error_set(
			&err, ERROR_USAGE,
			"--by, --compare, --weight, --max-depth, --dso and --symbol do not go with --latency");
		return command_fail(&err);
	}
	settings->pairing.tells_lengths = true;
	if (!group_rows(settings, &err) || !pairing_settings_finish(settings, &err))
		return command_fail(&err);
	return command_run(settings, &(struct course){
					     .prepare = session_build_intervals,
					     .write_each = pairing_settings_tell,
					     .write_all = write_latency,
				     });
}

/* Understands --by, and what the profile is to be built with for it. */
static bool finish_columns(struct settings *own, struct error *err)
{
	struct grouping of_samples;

	if (!grouping_parse_columns(own->report_by ? own->report_by : "symbol", &own->columns, err))
		return false;
	of_samples = grouping_of_samples(&own->columns);
	if (of_samples.count)
		own->grouping = of_samples;
	else
		own->joins_keys = true;
	/* Lines and files are frames of their own. */
	own->naming.parts_modules = grouping_has(&own->columns, GROUP_DSO);
	own->naming.has_lines |= grouping_has(&own->columns, GROUP_SRCLINE);
	return true;
}

static bool finish(struct settings *own, struct error *err)
{
	if (own->report_graph && strcmp(own->report_graph, "none") != 0)
		return error_set(err, ERROR_USAGE,
				 "-g %s: the table has no call graph; kiln flame INPUT -o out.svg "
				 "draws it from callers to callees, with --reverse the other way "
				 "round, and kiln fold INPUT prints it",
				 own->report_graph);
	return finish_columns(own, err);
}

static enum exit_code run(const struct settings *settings)
{
	struct settings own = *settings;
	struct error err;

	if (!finish(&own, &err))
		return command_fail(&err);
	if (own.latency)
		return run_latency(&own);
	if (pairing_settings_has_any(settings)) {
		error_set(&err, ERROR_USAGE,
			  "options of time off the processor go with --latency here");
		return command_fail(&err);
	}
	own.shows_counters = true;
	if (settings->diff.before.count)
		return run_comparison(&own);
	return command_run(&own, &(struct course){ .write_all = write_report, .reads_once = true });
}

static const struct option_group *const groups[] = {
	&settings_report,         &pairing_settings,
	&settings_json,           &settings_weight,
	&settings_selection,      &settings_symbols,
	&settings_resolving,      &settings_naming,
	&settings_frames,         &settings_common,
	&settings_perf_table,     &settings_perf_input,
	&settings_perf_selection, &settings_perf_symbols,
	&foreign_report,          NULL,
};

/* What most people need: kiln report --help. */
static const char *const common[] = {
	"output",     "by",        "limit", "json",  "compare", "latency",   "span",   "event",
	"comm",       "pid",       "cpu",   "time",  "dso",     "user-only", "weight", "symbols",
	"debuginfod", "no-inline", "jobs",  "quiet", "help",    NULL,
};

const struct command command_report = {
	.name = "report",
	.summary = "list the hottest functions, DSOs or threads, or latencies",
	.description =
		"Prints a table. Self is the share of samples whose leaf frame is the function; "
		"total is the share with it anywhere on the stack. --latency prints wait times "
		"instead.",
	.examples = { "kiln report --by comm,dso -n 20 perf.data",
		      "kiln report --latency=comm sched.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
