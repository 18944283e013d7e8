/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "render/export/export.h"

#define AT(field) offsetof(struct settings, field)

/* A formatter would spread each option over several lines. */
/* clang-format off */
static const struct option export_options[] = {
	{ .name = "format", .kind = OPTION_TEXT, .offset = AT(export_format), .argument = "NAME",
	  .help = "write pprof, speedscope, callgrind or d3",
	  .more = "Without this option, the name of the output file decides: .pb.gz, "
		  ".speedscope.json, .callgrind or .d3.json" },
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the profile" },
	{ .name = "with-host", .kind = OPTION_FLAG, .offset = AT(svg.shows_host),
	  .help = "do not shorten paths in home directories" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_export = { "Format", export_options };

static const struct export_format *find_format(const struct settings *settings, struct error *err)
{
	struct text output = text_of(settings->output ? settings->output : "");

	for (const struct export_format *at = export_formats; at->name; at++)
		if (settings->export_format ? strcmp(settings->export_format, at->name) == 0
					    : text_has_suffix(output, at->suffix))
			return at;
	if (settings->export_format)
		error_set(err, ERROR_USAGE,
			  "--format must be pprof, speedscope, callgrind or d3, not \"%s\"",
			  settings->export_format);
	else
		error_set(err, ERROR_USAGE,
			  "--format is required: pprof, speedscope, callgrind or d3; or name the "
			  "output .pb.gz, .speedscope.json, .callgrind or .d3.json");
	return NULL;
}

static void write_profile(const struct settings *settings, const struct export_format *format,
			  const struct profile *profile, struct sink *sink)
{
	struct export_options options = {
		.grouping = &settings->view.grouping,
		.title = settings->svg.title ? settings->svg.title : "Profile",
		.shows_homes = settings->svg.shows_host,
	};

	format->write(profile, &options, sink);
}

static enum exit_code run(struct settings *settings)
{
	const struct export_format *format;
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	format = find_format(settings, &err);
	if (!format || !output_check_terminal(settings->output, "an exported profile", &err))
		return command_fail(&err);
	settings->view.keeps_sample_counts = true;
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile)) {
		if (profile.is_counted)
			inputs_check(&inputs,
				     error_set(&inputs.err, ERROR_UNSUPPORTED,
					       "%s: counters have no stacks; use kiln report",
					       inputs.paths.at[0]));
		else
			write_profile(settings, format, &profile, &output.sink);
	}
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_export,
	SETTINGS_OF_PROFILE,
	NULL,
};

static const char *const common[] = {
	"output",  "format",     "by",      "event",     "comm", "pid",   "tid",  "time", "weight",
	"symbols", "debuginfod", "srcline", "no-inline", "jobs", "quiet", "help", NULL,
};

const struct command command_export = {
	.name = "export",
	.topic = TOPIC_CONVERT,
	.summary = "write a profile for pprof, speedscope, KCachegrind or d3",
	.description =
		"Writes the profile in a format that other tools read. With --srcline, pprof, "
		"speedscope and KCachegrind also show source lines.",
	.examples = { "kiln export perf.data -o cpu.pb.gz",
		      "kiln export --format speedscope --by comm,tid perf.data -o out.json" },
	.common = common,
	.groups = groups,
	.run = run,
};
