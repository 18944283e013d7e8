/* SPDX-License-Identifier: MIT */
#include "render/info.h"
#include "tools/command.h"

static bool write_info(const struct settings *settings, struct session *session, struct sink *sink,
		       struct error *err)
{
	(void)err;
	if (settings->is_json) {
		info_write_json(&session->profile, sink);
		return true;
	}
	/* A blank line between one input's and the next. */
	if (sink->used || sink->written)
		sink_char(sink, '\n');
	info_write_text(&session->profile, settings->wants_records,
			settings->symbol_paths.count != 0 || settings->wants_places, sink);
	return true;
}

/* Whether a path is one of captures, which no symbols are looked for in. */
static bool is_capture(const char *path)
{
	struct capture capture;
	struct error ignored;

	if (!capture_open(&capture, path, &ignored))
		return false;
	capture_close(&capture);
	return true;
}

/* In "kiln info --symbols perf.data", --symbols says what to print rather than where to look. */
static enum exit_code run(const struct settings *settings)
{
	struct settings asked = *settings;
	const char *last;

	/* The share of a file is that of all its functions, whatever others are called. */
	asked.naming.parts_modules = true;
	if (!asked.inputs.count && asked.symbol_paths.count) {
		last = asked.symbol_paths.at[asked.symbol_paths.count - 1];
		if (is_capture(last)) {
			asked.symbol_paths.count--;
			asked.wants_places = true;
			asked.inputs = (text_list){ .at = &last, .count = 1 };
		}
	}
	return command_run(&asked,
			   &(struct course){ .write_each = write_info, .writes_health = true });
}

static const struct option_group *const groups[] = {
	&settings_info,
	&settings_symbols,
	&settings_common,
	NULL,
};

const struct command command_info = {
	.name = "info",
	.summary = "say what a capture is, what was lost, and what can be named",
	.description =
		"Prints where and how a capture was made, its events and sample counts, what "
		"was lost, and every file its samples ran in: whether it could be named, by "
		"what, or why not.",
	.groups = groups,
	.run = run,
};
