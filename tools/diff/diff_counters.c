/* SPDX-License-Identifier: MIT */
#include "tools/diff/diff_counters.h"

#include <math.h>

#include "render/diff/counter_table.h"
#include "tools/diff/diff_gate.h"

bool diff_counters_write(const struct counter_diff *diff, enum diff_format format,
			 struct sink *sink, struct error *err)
{
	switch (format) {
	case DIFF_FORMAT_AUTO:
	case DIFF_FORMAT_TABLE:
		counter_table_write(diff, sink);
		return true;
	case DIFF_FORMAT_JSON:
		counter_json_write(diff, sink);
		return true;
	case DIFF_FORMAT_MARKDOWN:
		counter_markdown_write(diff, sink);
		return true;
	case DIFF_FORMAT_FOLDED:
	case DIFF_FORMAT_SVG:
	case DIFF_FORMAT_HTML:
		break;
	}
	return error_set(err, ERROR_USAGE,
			 "perf stat counters have no stacks; use --format table, markdown or json");
}

/* Reports that a counter or a ratio grew or fell. */
static void report_growth(const struct settings *settings, const struct counter_diff *diff,
			  const struct counter_change *change, const struct diff_gate *gate,
			  const char *certainty)
{
	double percent = counter_change_percent(change);
	struct text event = strings_get(diff->strings, change->event);
	struct text asked = change->ratio ? text_of(change->ratio) : gate->asked;
	bool is_named = text_equal(asked, event);
	char grown[100] = "is new";

	if (isfinite(percent))
		snprintf(grown, sizeof(grown), "%s by %.1f%%, more than %g%%", diff_gate_verb(gate),
			 diff_gate_toward(gate, percent), gate->limit);
	command_warn(settings, "%.*s%s%.*s %s%s", (int)asked.length, asked.at,
		     is_named ? "" : " of ", is_named ? 0 : (int)event.length, event.at, grown,
		     certainty);
}

/* Compares the values. If the change can be due to measurement error, the limit is not exceeded. */
static enum exit_code check_change(const struct settings *settings, const struct counter_diff *diff,
				   const struct counter_change *change,
				   const struct diff_gate *gate)
{
	double p_value = fmin(1, change->p_value * (double)settings->diff.limits.count);
	bool is_noise = p_value > 1 - diff->options.confidence;
	char certainty[100];

	if (!(diff_gate_toward(gate, counter_change_percent(change)) > gate->limit))
		return EXIT_DONE;
	if (isnan(change->p_value)) {
		report_growth(settings, diff, change, gate,
			      "; the change was not tested; use perf stat -r to measure how much "
			      "runs differ");
		return EXIT_REGRESSED;
	}
	snprintf(certainty, sizeof(certainty), "%s (p = %.2g)",
		 is_noise ? ", which may be noise" : "", p_value);
	report_growth(settings, diff, change, gate, certainty);
	return is_noise ? EXIT_DONE : EXIT_REGRESSED;
}

static size_t count_counters(const struct counter_diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->changes.count; i++)
		count += !diff->changes.at[i].ratio;
	return count;
}

/* Whether the gate applies to this row. "total" means the only counter. */
static bool is_asked(const struct counter_diff *diff, const struct counter_change *change,
		     const struct diff_gate *gate, const char *name)
{
	return gate->subject == DIFF_GATE_TOTAL ? !change->ratio
	       : gate->subject == DIFF_GATE_ANY ? true
						: counter_change_is(diff, change, name);
}

static enum exit_code check_gate(const struct settings *settings, const void *comparison,
				 const struct diff_gate *gate)
{
	const struct counter_diff *diff = comparison;
	enum exit_code worst = EXIT_DONE;
	bool is_found = false;
	struct error err;
	char *name;

	if (gate->subject == DIFF_GATE_TOTAL && count_counters(diff) > 1) {
		(void)error_set(&err, ERROR_USAGE,
				"--fail-if total: several counters are compared; give one of them, "
				"such as 'cycles>5%%', or select it with --event");
		return command_fail(&err);
	}
	if (gate->is_points || gate->subject == DIFF_GATE_REGEX) {
		(void)error_set(
			&err, ERROR_USAGE,
			"--fail-if: counters do not support pp or /regex/; use a name and a "
			"percentage, such as 'cycles>5%%'");
		return command_fail(&err);
	}
	name = memory_duplicate(gate->name.at, gate->name.length);
	for (size_t i = 0; i < diff->changes.count; i++) {
		enum exit_code code;

		if (!is_asked(diff, &diff->changes.at[i], gate, name))
			continue;
		is_found = true;
		code = check_change(settings, diff, &diff->changes.at[i], gate);
		if (code > worst)
			worst = code;
	}
	memory_free(name);
	if (is_found || settings->diff.allows_missing)
		return worst;
	(void)error_set(&err, ERROR_USAGE,
			"--fail-if: the sides have no common counter \"%.*s\"; use --allow-missing "
			"to ignore it",
			(int)gate->name.length, gate->name.at);
	return command_fail(&err);
}

enum exit_code diff_counters_check(const struct settings *settings, const struct counter_diff *diff)
{
	return diff_gates_worst(settings, check_gate, diff);
}
