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
	info_write_text(&session->profile, settings->wants_records, sink);
	return true;
}

static enum exit_code run(const struct settings *settings)
{
	return command_run(settings,
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
