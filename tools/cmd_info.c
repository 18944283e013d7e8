/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "render/text/info.h"
#include "render/text/info_advice.h"
#include "session/confinement.h"
#include "session/off_cpu.h"

static bool write_why(const struct settings *settings, const struct profile *profile,
		      struct sink *sink, struct error *err)
{
	return info_write_why(profile, text_of(settings->why), settings->is_json, sink) ||
	       error_set(err, ERROR_USAGE,
			 "--why=%s: no DSO with samples has a path that contains this name",
			 settings->why);
}

static bool write_info(const struct settings *settings, struct session *session, struct sink *sink,
		       struct error *err)
{
	const struct profile *profile = &session->profile;
	const struct pairing_counts *pairs =
		session->offcpu.has_pair_counts ? &session->offcpu.pairing.counts : NULL;

	/* A blank line between inputs. */
	if (!settings->is_json && (sink->used || sink->written))
		sink_char(sink, '\n');
	if (settings->why)
		return write_why(settings, profile, sink, err);
	if (settings->is_json) {
		info_write_json(profile, pairs, sink);
		return true;
	}
	info_write_text(profile, pairs, settings->wants_records, sink);
	if (settings->names_next_commands)
		info_next_write(profile, text_of(session->capture.input.name), sink);
	return true;
}

static bool read_samples(struct session *session, struct error *err)
{
	session_count_pairs(session);
	return session_build_profile(session, err);
}

static enum exit_code describe_build(const struct settings *settings)
{
	struct output output;
	struct error err;

	if (!output_open(&output, settings->output, &err))
		return command_fail(&err);
	sink_puts(&output.sink, "kiln " VERSION "\n"
				"compiler: " __VERSION__ "\n"
				"libraries: " BUILT_WITH "\n"
				"libraries left out: " BUILT_WITHOUT "\n");
	confinement_describe(settings->confinement, &output.sink);
	return output_commit(&output, &err) ? EXIT_DONE : command_fail(&err);
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;

	if (settings->wants_build)
		return describe_build(settings);
	/*
	 * Without this setting, functions with the same name in two DSOs would be one frame, and
	 * count for only one of the DSOs.
	 */
	settings->view.naming.parts_modules = true;
	settings->reports_missing = true;
	command_open(&inputs, &output, settings);
	while (inputs_next(&inputs)) {
		if (inputs_read(&inputs, read_samples))
			inputs_check(&inputs, write_info(settings, &inputs.session, &output.sink,
							 &inputs.err));
		inputs_close(&inputs, NULL);
	}
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
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

static const char *const common[] = {
	"output",        "json",         "why",  "records", "symbols", "debuginfod",
	"no-host-files", "input-format", "jobs", "quiet",   "help",    NULL,
};

const struct command command_info = {
	.name = "info",
	.topic = TOPIC_EXPLAIN,
	.summary = "describe a capture, its losses and its missing symbols",
	.description =
		"Prints where and how a capture was made, the events, and the numbers of samples "
		"and lost samples. For each DSO, prints which file the symbols come from, or why "
		"there are no symbols.",
	.examples = { "kiln info perf.data", "kiln info --why --symbols ./binaries perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
