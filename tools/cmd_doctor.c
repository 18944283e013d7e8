/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "render/text/recording_advice.h"

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;

	settings->reports_missing = true;
	/* A frame that stands for several DSOs has no module. */
	settings->view.naming.parts_modules = true;
	command_open(&inputs, &output, settings);
	while (inputs_next(&inputs)) {
		if (!settings->is_json && (output.sink.used || output.sink.written))
			sink_char(&output.sink, '\n');
		if (inputs_read(&inputs, session_build_profile))
			inputs_check(&inputs, recording_advice_write(&inputs.session.profile,
								     settings->is_json,
								     &output.sink, &inputs.err));
		inputs_close(&inputs, NULL);
	}
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&settings_json,       &settings_symbols,      &settings_common,
	&settings_perf_input, &settings_perf_symbols, NULL,
};

static const char *const common[] = {
	"output", "json", "symbols", "no-host-files", "jobs", "help", NULL,
};

const struct command command_doctor = {
	.name = "doctor",
	.topic = TOPIC_EXPLAIN,
	.summary = "list what would make the next recording better",
	.description =
		"Lists what is missing from a capture because of how it was recorded, such as "
		"callchains, build-ids, the wall-clock time or lost samples. For each "
		"of these, prints the perf record options that help; at the end, prints the "
		"complete command line.",
	.examples = { "kiln doctor perf.data", "kiln doctor --json perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
