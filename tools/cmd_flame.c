/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/text/summary.h"
#include "render/svg/svg_style.h"
#include "session/flame_chart.h"
#include "compat/flamegraph_tree.h"
#include "session/no_match.h"
#include "cli/command.h"
#include "cli/other_tools.h"

void command_print_summary(const struct profile *profile)
{
	struct sink sink;
	struct error ignored;

	sink_init_fd(&sink, STDOUT_FILENO);
	summary_write(profile, &sink);
	/* The picture is there; that nobody hears of it does not undo it. */
	(void)!sink_flush(&sink, &ignored);
	sink_deinit(&sink);
}

static bool keeps_order(const struct settings *settings)
{
	return settings->picture.is_chart || settings->picture.keeps_order;
}

static bool check(const struct settings *settings, struct error *err)
{
	bool has_file = settings->output && strcmp(settings->output, "-") != 0;

	if (settings->wants_summary && !has_file)
		return error_set(err, ERROR_USAGE,
				 "--summary goes with --output: both want standard output");
	if (keeps_order(settings) && settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "%s draws one input: between several there is no order",
				 settings->picture.is_chart ? "--flamechart" : "--no-sort");
	if (!settings->output && isatty(STDOUT_FILENO))
		return error_set(err, ERROR_USAGE,
				 "a picture is nothing for a terminal; name a file with -o");
	return true;
}

static void print_policy(const struct settings *settings)
{
	struct sink sink;
	struct error ignored;

	sink_init_fd(&sink, STDOUT_FILENO);
	svg_style_write_policy(&settings->svg, &sink);
	sink_char(&sink, '\n');
	(void)!sink_flush(&sink, &ignored);
	sink_deinit(&sink);
}

/* Whether it is two counts that each line of folded stacks has. */
static bool has_two_counts(const struct session *session)
{
	const struct profile *profile = &session->profile;

	return session_is_text(session) && profile->events.count == 2 &&
	       text_is(strings_get(profile->strings, profile->events.at[0].name), "after") &&
	       text_is(strings_get(profile->strings, profile->events.at[1].name), "before");
}

/* Makes the profile one that tells what changed from the first count to the second. */
static bool build_difference(struct session *session, struct error *err)
{
	const struct flamegraph_tree_options options = {
		.is_reversed = session->options.is_reversed,
		.skips_comments = true,
		.bases = &session->options.selection->bases,
	};
	struct flamegraph_tree lines;

	if (!flamegraph_tree_read_input(&lines, &session->capture.input, &options, err))
		return error_prefix(err, "%s", session->capture.input.name);
	profile_deinit(&session->profile);
	session->profile = lines.profile;
	return true;
}

static bool build(struct session *session, struct error *err)
{
	if (!session_build_profile(session, err))
		return false;
	if (session->options.event_pattern || !has_two_counts(session))
		return true;
	if (!session_has_match(session, err))
		return error_prefix(err, "%s", session->capture.input.name);
	return build_difference(session, err);
}

/* Several inputs are summed up, and of sums nobody knows what was compared. */
static bool (*builder_of(const struct settings *settings))(struct session *, struct error *)
{
	if (keeps_order(settings))
		return session_build_chart;
	return settings->inputs.count > 1 ? NULL : build;
}

static enum exit_code run(const struct settings *settings)
{
	struct error err;

	if (settings->picture.wants_policy) {
		print_policy(settings);
		return EXIT_DONE;
	}
	if (!check(settings, &err))
		return command_fail(&err);
	return command_run(
		settings,
		&(struct course){
			.prepare = builder_of(settings),
			.write_all = command_write_svg,
			.reads_once = !keeps_order(settings),
			.announce = settings->wants_summary ? command_print_summary : NULL,
		});
}

static const struct option_group *const groups[] = {
	&settings_flame,          &settings_picture,
	&settings_look,           &settings_boxes,
	&settings_grouping,       &settings_stacks,
	&settings_weight,         &settings_selection,
	&settings_symbols,        &settings_resolving,
	&settings_naming,         &settings_frames,
	&settings_peers,          &settings_common,
	&settings_perf_stacks,    &settings_perf_input,
	&settings_perf_selection, &settings_perf_symbols,
	NULL,
};

/* What most people need: kiln flame --help. */
static const char *const common[] = {
	"output",        "title",   "width", "minwidth", "inverted", "flamechart", "colors",
	"no-javascript", "summary", "event", "comm",     "pid",      "cpu",        "time",
	"user-only",     "by",      "base",  "reverse",  "weight",   "symbols",    "debuginfod",
	"no-inline",     "jobs",    "quiet", "help",     NULL,
};

const struct command command_flame = {
	.name = "flame",
	.summary = "draw a flame graph as one self-contained SVG",
	.description =
		"Draws a flame graph: the wider a frame, the more samples have that function on "
		"their stack. The SVG is self-contained; open it in a browser to zoom and search.",
	.examples = { "kiln flame perf.data -o flame.svg",
		      "kiln flame --by comm,tid --symbols ./binaries perf.data -o flame.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
