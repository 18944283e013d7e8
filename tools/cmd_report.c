/* SPDX-License-Identifier: MIT */
#include "render/report.h"
#include "tools/command.h"

static bool write_report(const struct settings *settings, const struct profile *profile,
			 struct sink *sink, struct error *err)
{
	struct report_options options = {
		.key = (enum report_key)settings->report_key,
		.is_json = settings->is_json,
		.limit = settings->limit,
	};

	(void)err;
	report_write(profile, &options, sink);
	return true;
}

static enum exit_code run(const struct settings *settings)
{
	struct settings own = *settings;

	/* Lines are told apart as frames. */
	if (settings->report_key == REPORT_BY_SRCLINE)
		own.naming.has_lines = true;
	return command_run(&own, &(struct course){ .write_all = write_report });
}

static const struct option_group *const groups[] = {
	&settings_report, &settings_json, &settings_weight, &settings_selection, &settings_symbols,
	&settings_common, NULL,
};

const struct command command_report = {
	.name = "report",
	.summary = "list the hottest symbols, dsos or comms",
	.description = "Prints a table: self is where samples ended, total is what they passed "
		       "through, counted once for each stack.",
	.groups = groups,
	.run = run,
};
