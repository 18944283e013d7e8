/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/summary.h"
#include "render/svg.h"
#include "tools/command.h"

/* The command line as a shell would take it, for the picture to say how it was made. */
static void write_command(char *const *arguments, struct sink *sink)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./,:=+@%";

	sink_puts(sink, "kiln");
	for (char *const *at = arguments + 1; *at; at++) {
		bool is_plain = **at && (*at)[strspn(*at, plain)] == '\0';

		sink_char(sink, ' ');
		if (!is_plain)
			sink_char(sink, '\'');
		sink_puts(sink, *at);
		if (!is_plain)
			sink_char(sink, '\'');
	}
	sink_char(sink, '\0');
}

static bool print_summary(const struct session *session, struct error *err)
{
	struct sink sink;
	bool good;

	sink_init_fd(&sink, STDOUT_FILENO);
	summary_write(&session->profile, &sink);
	good = sink_flush(&sink, err);
	sink_deinit(&sink);
	return good;
}

static bool write_svg(const struct settings *settings, struct session *session, struct sink *sink,
		  struct error *err)
{
	struct svg_options options = settings->svg;
	struct sink command;

	if (!svg_check_options(&options, err))
		return false;
	sink_init_memory(&command);
	write_command(settings->command_line, &command);
	options.command = sink_memory(&command).at;
	svg_write(&session->profile, &options, sink);
	sink_deinit(&command);
	return !settings->wants_summary || print_summary(session, err);
}

static enum exit_code run(const struct settings *settings)
{
	if (settings->wants_summary && !settings->output) {
		struct error err;

		error_set(&err, ERROR_USAGE, "--summary goes with --output: both want standard output");
		return command_fail(&err);
	}
	return command_run(settings, NULL, write_svg);
}

static const struct option_group *const groups[] = {
	&settings_picture,
	&settings_grouping,
	&settings_weight,
	&settings_selection,
	&settings_symbols,
	&settings_common,
	NULL,
};

const struct command command_flame = {
	.name = "flame",
	.summary = "draw a flame graph as one self-contained SVG",
	.description = "Draws where the samples were: the wider a box, the more of them passed "
		       "through that function. The SVG needs nothing else to be opened anywhere, and "
		       "in a browser it can be zoomed and searched.",
	.groups = groups,
	.run = run,
};
