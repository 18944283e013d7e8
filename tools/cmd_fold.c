/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "render/text/folded.h"

static void write_folded(const struct settings *settings, const struct profile *profile,
			 struct sink *sink)
{
	if (settings->view.naming.keeps_separators)
		folded_write_provenance(profile, sink);
	else
		folded_write(profile, sink);
}

static enum exit_code run(struct settings *settings)
{
	struct inputs inputs;
	struct output output;
	struct profile profile;

	settings->view.naming.folds_comms = true;
	settings->is_read_once = true;
	command_open(&inputs, &output, settings);
	if (inputs_build_profile(&inputs, session_build_profile, &profile))
		write_folded(settings, &profile, &output.sink);
	profile_deinit(&profile);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&settings_folded,
	SETTINGS_OF_PROFILE,
	&foreign_fold,
	NULL,
};

static const char *const common[] = {
	"output",    "annotate", "provenance", "event",     "comm",        "pid",        "cpu",
	"time",      "dso",      "symbol",     "user-only", "kernel-only", "no-idle",    "by",
	"base",      "reverse",  "max-depth",  "weight",    "symbols",     "debuginfod", "srcline",
	"no-inline", "jobs",     "quiet",      "help",      NULL,
};

const struct command command_fold = {
	.name = "fold",
	.topic = TOPIC_CONVERT,
	.summary = "write folded stacks, one line per stack",
	.description = "Writes one line per distinct stack: its frames from the root to the leaf, "
		       "separated by semicolons, and its count. flamegraph.pl and other tools read "
		       "this format.",
	.examples = { "kiln fold perf.data -o out.folded",
		      "kiln fold --by comm,tid --event cpu-clock perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
