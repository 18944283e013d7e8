/* SPDX-License-Identifier: MIT */
#include "render/text/folded.h"
#include "cli/command.h"
#include "cli/other_tools.h"

static bool write_folded(const struct settings *settings, const struct profile *profile,
			 struct sink *sink, struct error *err)
{
	(void)err;
	if (settings->naming.keeps_separators)
		folded_write_provenance(profile, sink);
	else
		folded_write(profile, sink);
	return true;
}

static enum exit_code run(const struct settings *settings)
{
	struct settings own = *settings;

	own.naming.folds_comms = true;
	return command_run(&own, &(struct course){ .write_all = write_folded, .reads_once = true });
}

static const struct option_group *const groups[] = {
	&settings_folded,
	&settings_grouping,
	&settings_stacks,
	&settings_weight,
	&settings_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_frames,
	&settings_common,
	&settings_perf_stacks,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	&foreign_fold,
	NULL,
};

/* What most people need: kiln fold --help. */
static const char *const common[] = {
	"output",    "annotate", "provenance", "event",     "comm",        "pid",        "cpu",
	"time",      "dso",      "symbol",     "user-only", "kernel-only", "no-idle",    "by",
	"base",      "reverse",  "max-depth",  "weight",    "symbols",     "debuginfod", "srcline",
	"no-inline", "jobs",     "quiet",      "help",      NULL,
};

const struct command command_fold = {
	.name = "fold",
	.summary = "write folded stacks, one line per stack",
	.description =
		"Writes one line per distinct stack: its frames from the root, separated by "
		"semicolons, and its count. flamegraph.pl and other tools read this format.",
	.examples = { "kiln fold perf.data -o out.folded",
		      "kiln fold --by comm,tid --event cpu-clock perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
