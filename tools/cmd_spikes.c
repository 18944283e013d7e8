/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "render/text/spike_table.h"
#include "tools/spike_search.h"

static void write_spikes(const struct settings *settings, const char *input_name,
			 const struct spike_search *search, const struct profile *profile,
			 struct sink *sink)
{
	const struct spike_selection selection[] = {
		{ "event", settings->view.event_pattern },
		{ "comm", settings->comms },
		{ "process", settings->processes },
		{ "pid", settings->pids },
		{ "tid", settings->tids },
		{ "cpu", settings->cpus },
		{ "dso", settings->dsos },
		{ "symbol", settings->symbols },
	};
	struct spike_table_options options = {
		.is_json = settings->is_json,
		.limit = settings->limit,
		.input_name = input_name,
		.selection = selection,
		.selection_count = ARRAY_SIZE(selection),
		.narrowest_ns = search->narrowest_ns,
		.widest_ns = search->widest_ns,
		.confidence = search->options.confidence,
	};

	spike_table_write(profile, &search->spikes, &search->groups, &options, sink);
}

static bool check(const struct settings *settings, struct error *err)
{
	if (settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "kiln spikes requires a single input, because the clocks of "
				 "several captures may differ");
	return (settings->spike_confidence > 0 && settings->spike_confidence < 1) ||
	       error_set(err, ERROR_USAGE, "--confidence must be between 0 and 1, such as 0.999");
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct spike_search search;
	struct error err;

	if (!check(settings, &err) || !spike_search_prepare(&search, settings, &err))
		return command_fail(&err);
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile)) {
		if (spike_search_run(&search, &profile, inputs.paths.at[0], &inputs.err)) {
			write_spikes(settings, inputs.paths.at[0], &search, &profile, &output.sink);
			spike_search_deinit(&search);
		} else {
			inputs_check(&inputs, false);
		}
	}
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

#define AT(field) offsetof(struct settings, field)

static const struct option spike_options[] = {
	{ .name = "width",
	  .kind = OPTION_TEXT,
	  .offset = AT(spike_widths),
	  .argument = "MIN[,MAX]",
	  .help = "test windows from MIN to MAX wide (default: 10ms,1s)",
	  .more = "Each width is twice the previous width. If samples are rare, the narrowest "
		  "window is widened until it holds 8 samples on average" },
	{ .name = "confidence",
	  .kind = OPTION_REAL,
	  .offset = AT(spike_confidence),
	  .argument = "LEVEL",
	  .maximum = 1,
	  .help = "set the confidence required to report a window (default: 0.999)",
	  .more = "LEVEL is the probability that nothing is reported for a capture without spikes" },
	{ .short_name = 'n',
	  .name = "limit",
	  .kind = OPTION_NUMBER,
	  .offset = AT(limit),
	  .argument = "N",
	  .minimum = 1,
	  .maximum = UINT64_MAX,
	  .help = "list at most N windows for each function (default: 5)" },
	{ .name = NULL },
};

static const struct option_group spikes_group = { "Windows", spike_options };

static const struct option_group *const groups[] = {
	&spikes_group,
	&settings_json,
	&settings_grouping,
	&settings_selection,
	&settings_frame_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_common,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	NULL,
};

static const char *const common[] = {
	"output", "width", "confidence", "limit",      "json",      "event", "comm",  "pid",  "tid",
	"cpu",    "time",  "symbols",    "debuginfod", "no-inline", "jobs",  "quiet", "help", NULL,
};

const struct command command_spikes = {
	.name = "spikes",
	.topic = TOPIC_TABULATE,
	.summary = "find time windows that differ from the rest of the capture",
	.description =
		"Lists time windows in which a function has a larger share of the samples than "
		"elsewhere, or which have more or fewer samples than usual. For each window, "
		"prints a p-value and the functions that stand out; if windows recur at regular "
		"intervals, also prints the period. Samples of the idle task are ignored.",
	.arguments = "[options] [INPUT]",
	.examples = { "kiln spikes perf.data",
		      "kiln spikes --comm nginx --width 5ms,100ms perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
