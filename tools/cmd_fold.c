/* SPDX-License-Identifier: MIT */
#include "render/folded.h"
#include "tools/command.h"
#include "tools/foreign.h"

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
	&settings_common,
	&settings_perf_stacks,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	&foreign_fold,
	NULL,
};

const struct command command_fold = {
	.name = "fold",
	.summary = "write folded stacks, one line a stack",
	.description =
		"Writes one line for each distinct stack: comm;outermost;...;innermost WEIGHT, "
		"sorted, as perf script and stackcollapse-perf.pl would.",
	.groups = groups,
	.run = run,
};
