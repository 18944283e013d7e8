/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/svg_output.h"
#include "render/page/page.h"

#define BINS_DEFAULT 400u
#define BINS_MIN     20u
#define BINS_MAX     4000u

#define AT(field) offsetof(struct settings, field)

/* A formatter would spread each option over several lines. */
/* clang-format off */
static const struct option page_options[] = {
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the page" },
	{ .name = "bins", .kind = OPTION_NUMBER, .offset = AT(page_bins), .argument = "N",
	  .minimum = BINS_MIN, .maximum = BINS_MAX,
	  .help = "divide the time into at most N bins of a round width (default: 400)",
	  .more = "More bins show shorter events, and make the page larger" },
	{ .name = "no-metadata", .kind = OPTION_FLAG, .offset = AT(svg.is_metadata_stripped),
	  .help = "do not store the command line and other metadata in the page" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_page = { "Page", page_options };

static void write_page(const struct settings *settings, const struct profile *profile,
		       struct sink *sink)
{
	struct svg_options svg = settings->svg;
	struct sink command;

	sink_init_memory(&command);
	svg_output_write_command(settings, &command);
	svg.command = sink_memory(&command).at;
	page_write(profile,
		   &(struct page_options){
			   .data = { .title = svg.title ? svg.title : "Profile",
				     .command = svg.is_metadata_stripped ? NULL : svg.command,
				     .grouping = &settings->view.grouping,
				     .colouring = &svg.colouring,
				     .shows_homes = svg.shows_host },
			   .svg = &svg,
		   },
		   sink);
	sink_deinit(&command);
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	if (!output_check_terminal(settings->output, "a page", &err))
		return command_fail(&err);
	settings->view.has_time_bins = settings->inputs.count <= 1;
	settings->view.time_bin_ns = 1;
	settings->view.time_bin_max =
		settings->page_bins ? (uint32_t)settings->page_bins : BINS_DEFAULT;
	if (!settings->group_by)
		settings->view.grouping =
			(struct grouping){ .by = { GROUP_COMM, GROUP_PID, GROUP_TID }, .count = 3 };
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile))
		write_page(settings, &profile, &output.sink);
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_page,
	&settings_grouping,
	&settings_stacks,
	&settings_weight,
	&settings_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_frames,
	&settings_common,
	&settings_perf_stacks,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	NULL,
};

static const char *const common[] = {
	"output", "title",   "bins",       "event",     "comm", "pid",   "tid",  "cpu", "time",
	"by",     "symbols", "debuginfod", "no-inline", "jobs", "quiet", "help", NULL,
};

const struct command command_page = {
	.name = "page",
	.topic = TOPIC_DRAW,
	.summary = "write a page: time, flame graph and table in one HTML file",
	.description =
		"Writes one HTML file with the whole profile: when samples were taken, the flame "
		"graph, and a table of functions. Select a time window, and the graph and the table "
		"follow. The page is self-contained and works without a server.",
	.examples = { "kiln page perf.data -o page.html",
		      "kiln page --comm nginx --by comm,tid perf.data -o page.html" },
	.common = common,
	.groups = groups,
	.run = run,
};
