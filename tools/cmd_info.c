/* SPDX-License-Identifier: MIT */
#include "render/text/info.h"
#include "render/text/info_advice.h"
#include "session/off_cpu.h"
#include "cli/command.h"

static bool write_why(const struct settings *settings, const struct profile *profile,
		      struct sink *sink, struct error *err)
{
	const char *name = settings->why;

	if (info_write_why(profile, text_of(name), settings->is_json, sink))
		return true;
	return error_set(err, ERROR_USAGE, "--why: no file that samples ran in is called \"%s\"",
			 name);
}

static bool write_info(const struct settings *settings, struct session *session, struct sink *sink,
		       struct error *err)
{
	const struct profile *profile = &session->profile;

	/* A blank line between one input's and the next. */
	if (!settings->is_json && (sink->used || sink->written))
		sink_char(sink, '\n');
	if (settings->why)
		return write_why(settings, profile, sink, err);
	if (settings->is_json) {
		info_write_json(profile, session->has_pair_counts ? &session->pairing.counts : NULL,
				sink);
		return true;
	}
	info_write_text(profile, session->has_pair_counts ? &session->pairing.counts : NULL,
			settings->wants_records, sink);
	if (settings->names_next_commands)
		info_next_write(profile, text_of(session->capture.input.name), sink);
	return true;
}

static bool prepare(struct session *session, struct error *err)
{
	session_count_intervals(session);
	return session_build_profile(session, err);
}

static enum exit_code run(const struct settings *settings)
{
	struct settings asked = *settings;

	/* The share of a file is that of all its functions, whatever others are called. */
	asked.naming.parts_modules = true;
	return command_run(&asked, &(struct course){ .prepare = prepare,
						     .write_each = write_info,
						     .writes_health = true });
}

static const struct option_group *const groups[] = {
	&settings_info,
	&settings_symbols,
	&settings_resolving,
	&settings_common,
	&settings_perf_input,
	&settings_perf_symbols,
	NULL,
};

/* What most people need: kiln info --help. */
static const char *const common[] = {
	"output",        "json",         "why",  "records", "symbols", "debuginfod",
	"no-host-files", "input-format", "jobs", "quiet",   "help",    NULL,
};

const struct command command_info = {
	.name = "info",
	.summary = "describe a capture: what it is, what was lost, what has no symbols",
	.description =
		"Prints where and how a capture was made, its events and sample counts, lost "
		"samples, and for each DSO the file its symbols come from, or why it has none.",
	.examples = { "kiln info perf.data", "kiln info --why --symbols ./binaries perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
