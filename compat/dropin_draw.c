/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "render/diff/delta_rows.h"
#include "render/svg/svg.h"
#include "compat/flame_lines.h"
#include "compat/dropin.h"

/* What flamegraph.pl exits with when there was nothing to draw. */
#define EXIT_NOTHING 2
/* Fewer samples than this say little. */
#define FEW_SAMPLES 100

#define MILLION 1e6

/* A total that is a little less than what was counted is the same but for rounding. */
#define TOTAL_TOLERANCE 0.02

static double counted(const struct profile *profile)
{
	double total = (double)profile->stacks.at[0].total;

	return profile->unit == UNIT_MILLIONTHS ? total / MILLION : total;
}

static void tell(struct settings *settings, const struct flame_lines *lines)
{
	double total = counted(&lines->profile);
	double *wanted = &settings->picture.total;

	if (strcmp(settings->picture.count_name, "samples") == 0 && total < FEW_SAMPLES)
		command_warn(settings, "Stack count is low (%.15g). Did something go wrong?",
			     total);
	if (lines->ignored_count)
		command_warn(settings, "Ignored %llu lines with invalid format",
			     (unsigned long long)lines->ignored_count);
	if (lines->cut_count)
		command_warn(settings, "%llu counts are not whole numbers, and were cut",
			     (unsigned long long)lines->cut_count);
	if (*wanted > 0 && *wanted < total) {
		if (*wanted / total > TOTAL_TOLERANCE)
			command_warn(settings,
				     "Specified --total %.15g is less than actual total %.15g, so "
				     "ignored",
				     *wanted, total);
		*wanted = 0;
	}
}

static bool draw_lines(struct settings *settings, struct flame_lines *lines, struct sink *sink,
		       struct error *err)
{
	tell(settings, lines);
	if (counted(&lines->profile) > 0)
		return command_write_svg(settings, &lines->profile, sink, err);
	command_warn(settings, "ERROR: No stack counts found");
	svg_write_error(&settings->svg, "ERROR: No valid input provided to flamegraph.pl.",
				sink);
	return true;
}

int dropin_draw(struct settings *settings, const struct flame_lines_options *options,
		int failed_code)
{
	static const char *const standard_input = "-";
	const text_list *inputs = &settings->inputs;
	struct flame_lines lines;
	struct error err;
	struct sink sink;
	int code = EXIT_DONE;

	if (!picture_settings_finish(settings, &err) ||
	    !flame_lines_read(&lines, inputs->count ? inputs->at : &standard_input,
			      inputs->count ? inputs->count : 1, options, &err)) {
		command_fail(&err);
		return failed_code;
	}
	if (counted(&lines.profile) <= 0)
		code = EXIT_NOTHING;
	sink_init_fd(&sink, STDOUT_FILENO);
	if (!draw_lines(settings, &lines, &sink, &err) || !sink_flush(&sink, &err)) {
		command_fail(&err);
		code = failed_code;
	}
	sink_deinit(&sink);
	flame_lines_deinit(&lines);
	return code;
}
