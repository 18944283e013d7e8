/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/summary.h"
#include "render/svg_style.h"
#include "tools/command.h"

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

static bool check(const struct settings *settings, struct error *err)
{
	bool has_file = settings->output && strcmp(settings->output, "-") != 0;

	if (settings->wants_summary && !has_file)
		return error_set(err, ERROR_USAGE,
				 "--summary goes with --output: both want standard output");
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
			.write_all = command_write_svg,
			.announce = settings->wants_summary ? command_print_summary : NULL,
		});
}

static const struct option_group *const groups[] = {
	&settings_flame,
	&settings_picture,
	&settings_look,
	&settings_boxes,
	&settings_grouping,
	&settings_stacks,
	&settings_weight,
	&settings_selection,
	&settings_symbols,
	&settings_common,
	NULL,
};

const struct command command_flame = {
	.name = "flame",
	.summary = "draw a flame graph as one self-contained SVG",
	.description =
		"Draws where the samples were: the wider a box, the more of them passed "
		"through that function. The SVG needs nothing else to be opened anywhere, and "
		"in a browser it can be zoomed and searched.",
	.groups = groups,
	.run = run,
};
