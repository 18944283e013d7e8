/* SPDX-License-Identifier: MIT */
#include "profile/diff.h"
#include "render/counters.h"
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
	if (profile->is_counted)
		counters_write(profile, settings->is_json, sink);
	else
		report_write(profile, &options, sink);
	return true;
}

/* As kiln diff has it, the inputs being the side after. */
static enum exit_code run_comparison(struct settings *own)
{
	static const enum diff_key keys[] = {
		[REPORT_BY_SYMBOL] = DIFF_KEY_FUNCTION,
		[REPORT_BY_DSO] = DIFF_KEY_MODULE,
		[REPORT_BY_COMM] = DIFF_KEY_GROUP,
		[REPORT_BY_SRCLINE] = DIFF_KEY_LINE,
	};
	struct error err;

	if (!own->inputs.count) {
		error_set(&err, ERROR_USAGE, "--compare wants an INPUT too: what has changed since");
		return command_fail(&err);
	}
	own->diff.key = (int)keys[own->report_key];
	own->diff.after = own->inputs;
	own->inputs = (text_list){ 0 };
	own->diff.format = own->is_json ? DIFF_FORMAT_JSON : DIFF_FORMAT_TABLE;
	return command_diff.run(own);
}

static enum exit_code run(const struct settings *settings)
{
	struct settings own = *settings;

	own.shows_counters = true;
	/* Lines and files are told apart as frames. */
	own.naming.parts_modules = settings->report_key == REPORT_BY_DSO;
	if (settings->report_key == REPORT_BY_SRCLINE)
		own.naming.has_lines = true;
	if (settings->diff.before.count)
		return run_comparison(&own);
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
