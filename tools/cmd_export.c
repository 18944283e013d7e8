/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "cli/output.h"
#include "render/export/export.h"
#include "session/track_reader.h"

#define AT(field) offsetof(struct settings, field)

#define FORMAT_NAMES "pprof, speedscope, firefox, chrome, callgrind, d3, collapsed, tsv or jsonl"
#define FORMAT_SUFFIXES                                                                            \
	".pb.gz, .speedscope.json, .firefox.json, .trace.json, .callgrind, .d3.json, .collapsed, " \
	".tsv or .jsonl"

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option export_options[] = {
	{ .name = "format", .kind = OPTION_TEXT, .offset = AT(export_format), .argument = "NAME",
	  .help = "write " FORMAT_NAMES,
	  .more = "Without this option, the name of the output file selects the format: "
		  FORMAT_SUFFIXES ". Tables are compressed if .zst or .gz follows" },
	{ .name = "annotate", .kind = OPTION_FLAG, .offset = AT(view.naming.is_annotated),
	  .help = "append _[k] to kernel, _[i] to inlined and _[j] to JIT-compiled functions",
	  .more = "For the format collapsed: jfrconv of async-profiler colours frames by these "
		  "suffixes" },
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
	struct text plain = output_plain_name(settings->output);

	for (const struct export_format *at = export_formats; at->name; at++)
		if (settings->export_format ? strcmp(settings->export_format, at->name) == 0
					    : text_has_suffix(output, at->suffix) ||
						      text_has_suffix(plain, at->suffix))
			return at;
	if (settings->export_format)
		error_set(err, ERROR_USAGE, "--format must be " FORMAT_NAMES ", not \"%s\"",
			  settings->export_format);
	else
		error_set(err, ERROR_USAGE,
			  "--format is required: " FORMAT_NAMES
			  "; or name the output " FORMAT_SUFFIXES);
	return NULL;
}

static struct export_options options_of(const struct settings *settings)
{
	return (struct export_options){
		.grouping = &settings->view.grouping,
		.title = settings->svg.title ? settings->svg.title : "Profile",
		.shows_homes = settings->svg.shows_host,
		.has_lines = settings->view.naming.has_lines,
	};
}

/* Whether to write tracks. If the format has only tracks, they are always written. */
static bool has_tracks(const struct settings *settings, const struct export_format *format)
{
	const struct weighing *weighing = &settings->view.weighing;

	if (!format->write || !format->write_tracks)
		return !format->write;
	return !settings->group_by && settings->inputs.count < 2 &&
	       (weighing->kind == WEIGHING_PERIOD || weighing->kind == WEIGHING_SAMPLES);
}

static bool check(const struct settings *settings, const struct export_format *format,
		  struct error *err)
{
	if (settings->view.naming.is_annotated && format->write != export_write_collapsed)
		return error_set(err, ERROR_USAGE,
				 "--annotate has an effect only on the format collapsed");
	if (format->write)
		return true;
	if (settings->group_by)
		return error_set(err, ERROR_USAGE,
				 "the format %s has a track for each thread and event, so --by has "
				 "no effect on it",
				 format->name);
	return settings->inputs.count < 2 ||
	       error_set(err, ERROR_USAGE,
			 "the format %s has one time axis, so it accepts only "
			 "one input",
			 format->name);
}

/*
 * Sets up the view for a table: rows of all events, each with its own unit. Functions with the same
 * name in different DSOs are different frames.
 */
static bool set_table(struct settings *settings, struct error *err)
{
	struct grouping *grouping = &settings->view.grouping;

	settings->view.keeps_periods = true;
	settings->view.naming.parts_modules = true;
	if (!grouping_has(grouping, GROUP_EVENT) && !grouping_prepend(grouping, GROUP_EVENT, err))
		return false;
	return export_rows_check(grouping, err);
}

/* Formats with whole numbers change weights with decimals, and weights that are too large. */
static void warn_scaled(const struct settings *settings, const struct export_format *format,
			const struct profile *profile)
{
	uint64_t one = export_weight_of_one(profile);
	uint64_t divisor = export_divisor(profile);
	const char *rounded = export_is_exact(profile, divisor) ? "" : ", rounded down";

	if (divisor < one)
		command_warn(settings,
			     "the weights have decimals, which the format %s lacks, so its numbers "
			     "are the weights multiplied by %" PRIu64 "%s",
			     format->name, one / divisor, rounded);
	else if (divisor > one)
		command_warn(settings,
			     "the weights are too large for the format %s, so its numbers are the "
			     "weights divided by %" PRIu64 "%s",
			     format->name, divisor / one, rounded);
}

static void write_profile(const struct settings *settings, const struct export_format *format,
			  struct inputs *inputs, struct sink *sink)
{
	struct export_options options = options_of(settings);
	struct profile profile;

	if (inputs_build_profile(inputs, session_build_profile, &profile)) {
		if (profile.is_counted)
			inputs_check(inputs,
				     error_set(&inputs->err, ERROR_UNSUPPORTED,
					       "%s: counters have no stacks; use kiln report",
					       inputs->paths.at[0]));
		else
			format->write(&profile, &options, sink);
		if (!profile.is_counted && format->is_whole)
			warn_scaled(settings, format, &profile);
	}
	profile_deinit(&profile);
}

static void write_tracks(const struct settings *settings, const struct export_format *format,
			 struct inputs *inputs, struct sink *sink)
{
	struct export_options options = options_of(settings);
	const struct session *session = &inputs->session;

	if (inputs_next(inputs) &&
	    inputs_read(inputs,
			format->write ? session_build_tracks : session_build_timed_tracks)) {
		format->write_tracks(&session->profile, &session->tracks, &options, sink);
		if (session->tracks.timeless_count)
			command_warn(settings, "%llu sample%s without a time %s left out",
				     (unsigned long long)session->tracks.timeless_count,
				     session->tracks.timeless_count == 1 ? "" : "s",
				     session->tracks.timeless_count == 1 ? "is" : "are");
	}
	inputs_close(inputs, NULL);
	(void)!inputs_finish(inputs);
}

static enum exit_code run(struct settings *settings)
{
	const struct export_format *format;
	struct inputs inputs;
	struct output output;
	struct error err;

	format = find_format(settings, &err);
	if (!format || !check(settings, format, &err) ||
	    !output_check_terminal(settings->output, "an exported profile", &err))
		return command_fail(&err);
	settings->view.keeps_sample_counts = true;
	settings->view.keeps_groups = format->has_groups;
	settings->view.naming.folds_comms = format->write == export_write_collapsed;
	if (format->is_table && !set_table(settings, &err))
		return command_fail(&err);
	/* Export all events, each in its own tracks. */
	if (has_tracks(settings, format))
		settings->view.grouping = (struct grouping){ .by = { GROUP_EVENT }, .count = 1 };
	command_open(&inputs, &output, settings);
	if (format->write == export_write_pprof)
		output_write_unchanged(&output);
	if (has_tracks(settings, format))
		write_tracks(settings, format, &inputs, &output.sink);
	else
		write_profile(settings, format, &inputs, &output.sink);
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
	.summary = "write a profile for pprof, speedscope, databases and other tools",
	.description =
		"Writes the profile in a format that other tools read. The formats firefox and "
		"chrome are timelines, with a track for each thread and event. The formats tsv "
		"and jsonl are tables for databases, with a row for each stack. With --srcline, "
		"most tools also show source lines.",
	.examples = { "kiln export perf.data -o cpu.pb.gz",
		      "kiln export --format speedscope --by comm,tid perf.data -o out.json" },
	.common = common,
	.groups = groups,
	.run = run,
};
