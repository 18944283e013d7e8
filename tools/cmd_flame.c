/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "cli/inputs.h"
#include "cli/svg_output.h"
#include "compat/flamegraph_tree.h"
#include "render/svg/svg_style.h"
#include "session/flame_chart.h"
#include "session/no_match.h"

static bool keeps_order(const struct settings *settings)
{
	return settings->flame.is_chart || settings->flame.keeps_order;
}

static bool check(const struct settings *settings, struct error *err)
{
	if (keeps_order(settings) && settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "%s requires a single input: several have no common order",
				 settings->flame.is_chart ? "--flamechart" : "--no-sort");
	return svg_output_check(settings, err);
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

/* Whether the input is folded stacks with two counts a line. */
static bool has_two_counts(const struct session *session)
{
	const struct profile *profile = &session->profile;

	return session_is_text(session) && profile->events.count == 2 &&
	       text_is(strings_get(profile->strings, profile->events.at[0].name), "after") &&
	       text_is(strings_get(profile->strings, profile->events.at[1].name), "before");
}

/* Replaces the profile by one of the difference between the two counts. */
static bool build_difference(struct session *session, struct error *err)
{
	const struct flamegraph_tree_options options = {
		.is_reversed = session->options.is_reversed,
		.skips_comments = true,
		.bases = &session->options.selection->bases,
	};
	struct flamegraph_tree tree;

	if (!flamegraph_tree_read_input(&tree, &session->capture.input, &options, err))
		return error_prefix(err, "%s", session->capture.input.name);
	profile_deinit(&session->profile);
	session->profile = tree.profile;
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

/* Differences of several inputs do not add up. */
static session_reader *reader_of(const struct settings *settings)
{
	if (keeps_order(settings))
		return session_build_chart;
	return settings->inputs.count > 1 ? session_build_profile : build;
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;
	enum exit_code code;

	if (settings->flame.wants_policy) {
		print_policy(settings);
		return EXIT_DONE;
	}
	if (!check(settings, &err))
		return command_fail(&err);
	settings->is_read_once = !keeps_order(settings);
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, reader_of(settings), &profile))
		inputs_check(&inputs,
			     svg_output_write(settings, &profile, &output.sink, &inputs.err));
	code = command_close(&inputs, &output);
	if (settings->wants_summary && (code == EXIT_DONE || code == EXIT_PARTIAL))
		svg_output_print_summary(&profile);
	profile_deinit(&profile);
	return code;
}

static const struct option_group *const groups[] = {
	&settings_flame,
	&settings_svg,
	&settings_look,
	&settings_svg_frames,
	&settings_grouping,
	&settings_stacks,
	&settings_weight,
	&settings_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_frames,
	&settings_peers,
	&settings_common,
	&settings_perf_stacks,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	NULL,
};

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
