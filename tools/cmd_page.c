/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/page_output.h"

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option page_options[] = {
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "set the title of the page" },
	{ .name = "no-metadata", .kind = OPTION_FLAG, .offset = AT(svg.is_metadata_stripped),
	  .help = "do not store the command line and other metadata in the page" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_page = { "Page", page_options };

/* Whether the page shows a comparison. In this case, kiln diff --format=html writes it. */
static bool is_comparison(const struct settings *settings)
{
	const struct diff_settings *own = &settings->diff;

	return own->before.count || own->after.count || own->baseline || own->split_time ||
	       own->split_by || own->window || own->finds_spikes;
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;

	if (is_comparison(settings)) {
		settings->diff.format = DIFF_FORMAT_HTML;
		return command_diff.run(settings);
	}
	if (!output_check_terminal(settings->output, "a page", &err))
		return command_fail(&err);
	page_output_set_profile_view(settings);
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile))
		page_output_write(settings, &profile, NULL, &output.sink);
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&group_page,         &settings_page, &settings_page_view, &settings_sides, &settings_diff,
	SETTINGS_OF_PROFILE, NULL,
};

static const char *const common[] = {
	"output", "title",       "before", "after",   "normalise",  "confidence",
	"bins",   "embed-limit", "event",  "comm",    "pid",        "tid",
	"cpu",    "time",        "by",     "symbols", "debuginfod", "no-inline",
	"jobs",   "quiet",       "help",   NULL,
};

const struct command command_page = {
	.name = "page",
	.topic = TOPIC_DRAW,
	.summary = "write a page: time, flame graph and table in one HTML file",
	.description =
		"Writes one HTML file with the whole profile: when samples were taken, the flame "
		"graph, and a table of functions. If you select a time window, the graph and the "
		"table show only that window. The page is self-contained and works without a "
		"server.",
	.examples = { "kiln page perf.data -o page.html",
		      "kiln page --before old.data --after new.data -o change.html" },
	.common = common,
	.groups = groups,
	.run = run,
};
