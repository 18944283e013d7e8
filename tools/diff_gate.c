/* SPDX-License-Identifier: MIT */
#include "tools/diff_gate.h"

#include <math.h>

bool diff_gate_parse(const char *text, struct diff_gate *ret, struct error *err)
{
	/* Names of templates may hold some too. */
	const char *sign = strrchr(text, '>');
	char *end = NULL;

	if (sign && sign > text + (*text == '=') && sign[1] >= '0' && sign[1] <= '9')
		ret->percent = strtod(sign + 1, &end);
	if (!end || strcmp(end, "%") != 0 || !isfinite(ret->percent))
		return error_set(err, ERROR_USAGE,
				 "--fail-if wants NAME>N%%, such as 'total>5%%'; not \"%s\"", text);
	ret->asked = ret->name = (struct text){ text, (uint32_t)(sign - text) };
	ret->is_overall = text_is(ret->asked, "total");
	if (*text == '=')
		ret->name = (struct text){ text + 1, ret->asked.length - 1 };
	return true;
}

bool diff_gates_check(const struct settings *settings, struct error *err)
{
	struct diff_gate gate;

	for (size_t i = 0; i < settings->diff.limits.count; i++)
		if (!diff_gate_parse(settings->diff.limits.at[i], &gate, err))
			return false;
	return true;
}

static const struct diff_measure *find_function(const struct diff *diff, struct text name)
{
	const struct diff_measure *found = NULL;
	struct sink aligned;

	sink_init_memory(&aligned);
	diff_name_write(&aligned, name, diff->options.alignment.naming);
	for (size_t i = 0; i < diff->functions.count && !found; i++) {
		const struct diff_function *function = &diff->functions.at[i];

		if (text_equal(profile_frame_name(&diff->profile, (frame_id){ function->frame }),
			       sink_memory(&aligned)))
			found = &function->total;
	}
	sink_deinit(&aligned);
	return found;
}

/* A function that is neither before nor after: a name that is wrong would else be passed for ever. */
static enum exit_code tell_missing(const struct settings *settings, const struct diff_gate *gate)
{
	struct error err;

	if (settings->diff.allows_missing) {
		command_warn(settings, "--fail-if: no function is called \"%.*s\" on either side",
			     (int)gate->name.length, gate->name.at);
		return EXIT_DONE;
	}
	(void)error_set(&err, ERROR_USAGE,
			"--fail-if: no function is called \"%.*s\" on either side: is "
			"that how it is spelled? --allow-missing passes over it",
			(int)gate->name.length, gate->name.at);
	return command_fail(&err);
}

static enum exit_code judge(const struct settings *settings, const struct diff *diff,
			    const struct diff_gate *gate)
{
	const struct diff_measure *function = find_function(diff, gate->name);
	const struct diff_measure *measure = gate->is_overall ? &diff->overall : function;
	double percent;
	double p_value;
	char grown[100] = "is new";
	struct error err;
	bool is_noise;

	if (!measure)
		return tell_missing(settings, gate);
	if (gate->is_overall && diff_has_two_units(diff)) {
		(void)error_set(
			&err, ERROR_USAGE,
			"--fail-if total: the totals are in different units; count samples on "
			"both sides with --weight samples, or ask for functions");
		return command_fail(&err);
	}
	if (gate->is_overall && function)
		command_warn(settings, "--fail-if: total is all of it; the function of that name "
				       "is =total");
	/* Asked for by name, only the questions asked need to be corrected for. */
	p_value = measure->p_value * (double)settings->diff.limits.count;
	percent = gate->is_overall ? diff_overall_percent(diff) : diff_percent(diff, measure);
	if (percent <= gate->percent)
		return EXIT_DONE;
	is_noise = p_value > 1 - diff->options.confidence;
	if (isfinite(percent))
		snprintf(grown, sizeof(grown), "grew by %.1f%%, more than %g%%", percent,
			 gate->percent);
	command_warn(settings, "%.*s %s%s (p = %.2g)", (int)gate->asked.length, gate->asked.at,
		     grown, is_noise ? ", which may be noise" : "", p_value > 1 ? 1 : p_value);
	return is_noise ? EXIT_DONE : EXIT_REGRESSED;
}

enum exit_code diff_gates_judge(const struct settings *settings, const struct diff *diff)
{
	enum exit_code worst = EXIT_DONE;
	struct error ignored;
	struct diff_gate gate;

	for (size_t i = 0; i < settings->diff.limits.count; i++) {
		enum exit_code code = EXIT_DONE;

		/* They were understood before anything was read. */
		if (diff_gate_parse(settings->diff.limits.at[i], &gate, &ignored))
			code = judge(settings, diff, &gate);
		if (code > worst)
			worst = code;
	}
	return worst;
}
