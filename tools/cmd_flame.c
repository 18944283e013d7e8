/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/page_output.h"
#include "cli/svg_output.h"
#include "render/page/page.h"
#include "render/svg/svg_style.h"
#include "session/flame_chart.h"

static bool keeps_order(const struct settings *settings)
{
	return settings->flame.is_chart || settings->flame.keeps_order;
}

/*
 * Whether the output is a page. A page cannot keep the order of samples, and needs a script;
 * otherwise, the HTML file just contains an SVG.
 */
static bool is_page(const struct settings *settings)
{
	return settings->svg.form == SVG_FORM_PAGE && !keeps_order(settings) &&
	       !settings->svg.is_static;
}

static bool check(const struct settings *settings, struct error *err)
{
	if (keeps_order(settings) && settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "%s requires a single input, because samples of several inputs "
				 "cannot be ordered by time",
				 settings->flame.is_chart ? "--flamechart" : "--no-sort");
	if (settings->flame.lane_max != FLAME_LANE_MAX && !settings->flame.is_chart)
		return error_set(err, ERROR_USAGE, "--lanes requires --flamechart");
	if (settings->svg.form == SVG_FORM_PAGE && settings->page_views.count && !is_page(settings))
		return error_set(err, ERROR_USAGE,
				 "--view cannot be used with --flamechart, --no-sort or "
				 "--no-javascript");
	return page_output_check_view(settings, is_page(settings), err);
}

static bool print_policy(const struct settings *settings, struct error *err)
{
	struct output output;

	if (!output_open(&output, settings->output, err))
		return false;
	if (is_page(settings))
		page_write_policy(&settings->svg, &output.sink);
	else
		svg_style_write_policy(&settings->svg, &output.sink);
	sink_char(&output.sink, '\n');
	return output_commit(&output, err);
}

/*
 * Folded stacks with two counts are read line by line, as by flamegraph.pl, so samples cannot be
 * selected.
 */
static bool check_selection(const struct settings *settings, const struct profile *profile,
			    struct error *err)
{
	const struct selection *selection = &settings->view.selection;

	if (profile->deltas.count &&
	    (selection_asks_of_samples(selection) || selection_asks_of_leaves(selection) ||
	     selection->depth_max || selection->callchain_max))
		return error_set(err, ERROR_USAGE,
				 "samples of folded stacks with two counts cannot be selected; add "
				 "--event after or --event before to use one count");
	return true;
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;
	struct error err;
	enum exit_code code;

	if (!check(settings, &err))
		return command_fail(&err);
	if (settings->flame.wants_policy)
		return print_policy(settings, &err) ? EXIT_DONE : command_fail(&err);
	if (!svg_output_check(settings, &err))
		return command_fail(&err);
	if (is_page(settings))
		return command_page.run(settings);
	settings->is_read_once = !keeps_order(settings);
	/* The differences of several inputs cannot be added up. */
	settings->shows_difference = settings->inputs.count <= 1;
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(
		    &inputs, keeps_order(settings) ? session_build_chart : session_build_profile,
		    &profile))
		inputs_check(&inputs, check_selection(settings, &profile, &inputs.err) &&
					      svg_output_write(settings, &profile, &output.sink,
							       &inputs.err));
	code = command_close(&inputs, &output);
	if (settings->wants_summary && (code == EXIT_DONE || code == EXIT_PARTIAL) &&
	    !svg_output_print_summary(&profile, &err))
		code = command_fail(&err);
	profile_deinit(&profile);
	return code;
}

static const struct option_group *const groups[] = {
	&settings_flame,
	&settings_page_view,
	&settings_svg,
	&settings_look,
	&settings_svg_frames,
	&settings_grouping,
	&settings_stacks,
	&settings_weight,
	&settings_selection,
	&settings_frame_selection,
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
	.topic = TOPIC_DRAW,
	.summary = "draw a flame graph as one self-contained SVG",
	.description =
		"Draws a flame graph. The wider a frame, the more samples have its function on "
		"their stack. The SVG is self-contained; open it in a browser to zoom and search.",
	.examples = { "kiln flame perf.data -o flame.svg",
		      "kiln flame --by comm,tid --symbols ./binaries perf.data -o flame.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
