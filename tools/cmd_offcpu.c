/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/page_output.h"
#include "cli/pairing_settings.h"
#include "cli/svg_output.h"
#include "render/text/folded.h"
#include "session/off_cpu.h"

#define NS_PER_US 1000u

/* As in enum off_cpu_format. */
static const char *const format_names[] = { "svg", "html", "folded", NULL };

/* A wait is in every bin that it overlaps, so a page of waits is larger than a page of samples. */
#define PAGE_BINS 200

static const char *const unit_names[] = { "us", "ns", NULL };
enum {
	UNIT_OF_US,
	UNIT_OF_NS
};

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option output_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(off_cpu_format), .argument = "FORMAT",
	  .choices = format_names,
	  .help = "set the output format",
	  .more = "html is a page, as kiln page writes it" },
	{ .name = "unit", .kind = OPTION_CHOICE, .offset = AT(off_cpu_unit), .argument = "UNIT",
	  .choices = unit_names,
	  .help = "set the unit of the weights in folded stacks" },
	{ .name = "wall", .kind = OPTION_FLAG, .offset = AT(pairing.is_wall),
	  .help = "show on-CPU and off-CPU time together",
	  .more = "Requires samples of cpu-clock, task-clock or cycles" },
	{ .name = "max-depth", .kind = OPTION_NUMBER, .offset = AT(depth_max), .argument = "N",
	  .minimum = 1, .maximum = UINT32_MAX,
	  .help = "truncate stacks to the N frames nearest the root" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_output = { "Output", output_options };

/*
 * With --unit us, weights are in whole microseconds, so stacks with less than one microsecond are
 * dropped.
 */
static void write_folded(const struct settings *settings, const struct profile *profile,
			 struct sink *sink)
{
	folded_write_in(profile, settings->off_cpu_unit == UNIT_OF_US ? NS_PER_US : 1, sink);
	if (!sink->used && !sink->written && profile->stacks.at[0].total)
		command_warn(settings,
			     "every stack has less than one microsecond; use --unit ns to write "
			     "nanoseconds");
}

static bool write_output(const struct settings *settings, const struct profile *profile,
			 struct sink *sink, struct error *err)
{
	if (settings->off_cpu_format == OFF_CPU_FORMAT_SVG)
		return svg_output_write(settings, profile, sink, err);
	if (settings->off_cpu_format == OFF_CPU_FORMAT_HTML)
		page_output_write(settings, profile, NULL, sink);
	else
		write_folded(settings, profile, sink);
	return true;
}

static bool check(const struct settings *settings, struct error *err)
{
	bool is_page = settings->off_cpu_format == OFF_CPU_FORMAT_HTML;

	if (!page_output_check_view(settings, is_page, err) ||
	    (is_page && !output_check_terminal(settings->output, "a page", err)))
		return false;
	if (settings->off_cpu_format == OFF_CPU_FORMAT_SVG || settings->wants_summary)
		return svg_output_check(settings, err);
	return true;
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;
	enum exit_code code;

	if (!check(settings, &err) || !pairing_settings_finish(settings, &err))
		return command_fail(&err);
	if (!settings->svg.title)
		settings->svg.title = settings->pairing.span      ? "Time Between Events"
				      : settings->pairing.is_wall ? "Wall-Clock Time"
								  : "Off-CPU Time";
	if (settings->off_cpu_format == OFF_CPU_FORMAT_HTML) {
		settings->page_bins = settings->page_bins ? settings->page_bins : PAGE_BINS;
		page_output_set_profile_view(settings);
	}
	settings->view.naming.folds_comms = settings->off_cpu_format == OFF_CPU_FORMAT_FOLDED;
	command_open(&inputs, &output, settings);
	if (pairing_settings_build_profile(&inputs, &profile))
		inputs_check(&inputs, write_output(settings, &profile, &output.sink, &inputs.err));
	code = command_close(&inputs, &output);
	if (settings->wants_summary && (code == EXIT_DONE || code == EXIT_PARTIAL) &&
	    !svg_output_print_summary(&profile, &err))
		code = command_fail(&err);
	profile_deinit(&profile);
	return code;
}

static const struct option_group *const groups[] = {
	&pairing_settings,
	&pairing_waits,
	&group_output,
	&settings_page_view,
	&settings_svg,
	&settings_look,
	&settings_svg_frames,
	&settings_grouping,
	&settings_selection,
	&settings_frame_selection,
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

static const char *const common[] = {
	"output", "format", "state",   "preempted",  "runqueue", "wakers", "wall", "min-time",
	"span",   "key",    "title",   "colors",     "summary",  "comm",   "pid",  "cpu",
	"time",   "by",     "symbols", "debuginfod", "jobs",     "quiet",  "help", NULL,
};

const struct command command_offcpu = {
	.name = "offcpu",
	.topic = TOPIC_DRAW,
	.summary = "draw an off-CPU flame graph, which shows where threads were blocked",
	.description =
		"Draws an off-CPU flame graph: the stacks at which threads were switched out, "
		"weighted by the time until the threads were switched in again. Record with perf "
		"record -e sched:sched_switch -a -g, or use the output of offcputime or bpftrace.",
	.examples = { "kiln offcpu sched.data -o offcpu.svg",
		      "kiln offcpu --wakers --min-time 1ms sched.data -o waits.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
