/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/svg/colour.h"
#include "render/text/folded.h"
#include "session/off_cpu.h"
#include "cli/command.h"
#include "cli/other_tools.h"
#include "cli/pairing_settings.h"

#define NS_PER_US 1000u

static const char *const format_names[] = { "svg", "folded", NULL };
enum {
	FORMAT_SVG,
	FORMAT_FOLDED
};

static const char *const unit_names[] = { "us", "ns", NULL };
enum {
	UNIT_OF_US,
	UNIT_OF_NS
};

#define AT(field) offsetof(struct settings, field)

/* One option, one paragraph: a formatter would spread them out. */
/* clang-format off */
static const struct option output_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(off_cpu_format), .argument = "FORMAT",
	  .choices = format_names,
	  .help = "output format" },
	{ .name = "unit", .kind = OPTION_CHOICE, .offset = AT(off_cpu_unit), .argument = "UNIT",
	  .choices = unit_names,
	  .help = "unit of the counts in folded stacks" },
	{ .name = "max-depth", .kind = OPTION_NUMBER, .offset = AT(depth_max), .argument = "N",
	  .minimum = 1, .maximum = UINT32_MAX,
	  .help = "truncate stacks to the N frames nearest the root" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_output = { "Output", output_options };

/* Whole microseconds, of which there may be none. */
static void write_folded(const struct settings *settings, const struct profile *profile,
			 struct sink *sink)
{
	folded_write_in(profile, settings->off_cpu_unit == UNIT_OF_US ? NS_PER_US : 1, sink);
	if (!sink->used && !sink->written && profile->stacks.at[0].total)
		command_warn(settings,
			     "no stack waited for a microsecond; --unit ns writes them all");
}

static bool write_output(const struct settings *settings, const struct profile *profile,
			 struct sink *sink, struct error *err)
{
	if (settings->off_cpu_format == FORMAT_SVG)
		return command_write_svg(settings, profile, sink, err);
	write_folded(settings, profile, sink);
	return true;
}

/* Completes the settings by what only this command has. */
static bool finish(struct settings *settings, struct error *err)
{
	bool is_picture = settings->off_cpu_format == FORMAT_SVG;

	if (is_picture && !settings->output && isatty(STDOUT_FILENO))
		return error_set(err, ERROR_USAGE,
				 "a picture is nothing for a terminal; name a file with -o");
	if (settings->wants_summary && (!settings->output || strcmp(settings->output, "-") == 0))
		return error_set(err, ERROR_USAGE,
				 "--summary goes with --output: both want standard output");
	if (!settings->svg.title)
		settings->svg.title = settings->pairing.span      ? "Time Between Events"
				      : settings->pairing.is_wall ? "Wall-Clock Time"
								  : "Off-CPU Time";
	settings->naming.folds_comms = !is_picture;
	return pairing_settings_finish(settings, err);
}

static enum exit_code run(const struct settings *settings)
{
	struct settings own = *settings;
	struct error err;

	if (!finish(&own, &err))
		return command_fail(&err);
	return command_run(&own,
			   &(struct course){
				   .prepare = session_build_intervals,
				   .write_each = pairing_settings_tell,
				   .write_all = write_output,
				   .announce = own.wants_summary ? command_print_summary : NULL,
			   });
}

static const struct option_group *const groups[] = {
	&pairing_settings,
	&group_output,
	&settings_picture,
	&settings_look,
	&settings_boxes,
	&settings_grouping,
	&settings_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_frames,
	&settings_common,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	
	NULL,
};

/* What most people need: kiln offcpu --help. */
static const char *const common[] = {
	"output", "format", "state",   "preempted",  "runqueue", "wakers", "wall", "min-time",
	"span",   "key",    "title",   "colors",     "summary",  "comm",   "pid",  "cpu",
	"time",   "by",     "symbols", "debuginfod", "jobs",     "quiet",  "help", NULL,
};

const struct command command_offcpu = {
	.name = "offcpu",
	.summary = "draw an off-CPU flame graph: where threads were blocked",
	.description =
		"Draws an off-CPU flame graph: the stacks at which threads were switched out, "
		"weighted by the time until they were switched in again. Record with perf record "
		"-e sched:sched_switch -a -g, or use the output of offcputime or bpftrace.",
	.examples = { "kiln offcpu sched.data -o offcpu.svg",
		      "kiln offcpu --wakers --min-time 1ms sched.data -o waits.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
