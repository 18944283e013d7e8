/* SPDX-License-Identifier: MIT */
#include "cli/value_gates.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/name_pattern.h"
#include "cli/duration.h"
#include "render/number.h"
#include "render/text/histogram_text.h"

/* Number of groups that are compared, in addition to the group of all values. */
#define GROUPS_DEFAULT 10

#define AT(field) offsetof(struct settings, field)

/* A formatter would spread each option over several lines. */
/* clang-format off */
static const struct option options[] = {
	{ .name = "compare", .kind = OPTION_LIST, .offset = AT(diff.before), .argument = "BEFORE",
	  .help = "show how the percentiles of each row changed since the capture BEFORE" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(diff.limits),
	  .argument = "LIMIT",
	  .help = "exit with status 4 if a percentile exceeds LIMIT: 'p99(NAME)>5ms' limits its "
		  "value, 'p99(NAME)>10%' its growth since BEFORE",
	  .more = "A limit on growth is exceeded only if the whole confidence interval is beyond it. "
		  "NAME is the name of a row, or a pattern; without NAME, the limit applies to the "
		  "distribution of all values" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(diff.fails_on_uncertain),
	  .help = "also exit with status 4 if the data cannot show whether a --fail-if limit is "
		  "exceeded" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group value_gates_options = { "Comparison", options };

/* A limit of --fail-if. */
struct value_gate {
	const char *asked; /* as given */
	const struct histogram_quantile_name *quantile;
	struct text rows; /* name or pattern; .at NULL: all values */
	bool is_growth;   /* in percent; else an absolute limit */
	bool is_duration;
	double limit; /* a growth of 0.1 is 10 %; a duration is in nanoseconds */
};

static const struct histogram_quantile_name *find_quantile(struct text name)
{
	for (size_t i = 0; i < HISTOGRAM_QUANTILES; i++)
		if (text_is(name, histogram_quantiles[i].name))
			return &histogram_quantiles[i];
	return NULL;
}

/* Reads "10%", "5ms" or "5". */
static bool parse_limit(const char *text, struct value_gate *ret)
{
	struct error ignored;
	uint64_t limit_ns;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	ret->limit = strtod(text, &end);
	if (!isfinite(ret->limit))
		return false;
	if (strcmp(end, "%") == 0) {
		ret->is_growth = true;
		ret->limit /= 100;
		return true;
	}
	if (!*end)
		return true;
	if (!duration_parse("fail-if", text, &limit_ns, &ignored))
		return false;
	ret->is_duration = true;
	ret->limit = (double)limit_ns;
	return true;
}

static bool parse_gate(const char *text, struct value_gate *ret)
{
	/* Patterns can contain ">", too. */
	const char *sign = strrchr(text, '>');
	struct text subject = { text, sign ? (uint32_t)(sign - text) : 0 };
	const char *open = subject.length ? memchr(text, '(', subject.length) : NULL;

	*ret = (struct value_gate){ .asked = text };
	if (!sign || !subject.length || !parse_limit(sign + 1, ret))
		return false;
	if (open && sign[-1] == ')') {
		ret->rows = (struct text){ open + 1, (uint32_t)(sign - open) - 2 };
		subject.length = (uint32_t)(open - text);
		if (!ret->rows.length)
			return false;
	}
	ret->quantile = find_quantile(subject);
	return ret->quantile != NULL;
}

static bool check_gate_text(const struct settings *settings, const char *text, struct error *err)
{
	struct value_gate gate;
	struct name_pattern pattern;

	if (!parse_gate(text, &gate))
		return error_set(
			err, ERROR_USAGE,
			"--fail-if requires p50, p90, p99 or p999, a name in parentheses if needed, "
			"and a limit, such as 'p99(futex)>10%%' or 'p99>5ms', not \"%s\"",
			text);
	if (gate.is_growth && !settings->diff.before.count)
		return error_set(err, ERROR_USAGE, "--fail-if %s: growth requires --compare BEFORE",
				 text);
	if (!gate.rows.at)
		return true;
	if (!name_pattern_parse("fail-if", gate.rows, &pattern, err))
		return false;
	name_pattern_deinit(&pattern);
	return true;
}

bool value_gates_parse(const struct settings *settings, bool has_text, struct error *err)
{
	for (size_t i = 0; i < settings->diff.limits.count; i++)
		if (!check_gate_text(settings, settings->diff.limits.at[i], err))
			return false;
	if (settings->diff.before.count > 1)
		return error_set(err, ERROR_USAGE, "this command accepts only one --compare");
	return has_text || !settings->diff.before.count ||
	       error_set(err, ERROR_USAGE, "--compare supports only --format text and json");
}

struct gate_sides {
	const struct settings *settings;
	const struct histogram_set *before; /* NULL: there is no --compare */
	const struct histogram_set *after;
};

static void name_row(const struct value_gate *gate, const struct named_histogram *row,
		     struct sink *sink)
{
	sink_puts(sink, gate->quantile->name);
	if (!row->name.length)
		return;
	sink_char(sink, '(');
	sink_text(sink, row->name);
	sink_char(sink, ')');
}

/* A limit on the value itself. */
static enum exit_code check_value(const struct gate_sides *sides, const struct value_gate *gate,
				  const struct named_histogram *row)
{
	double value = histogram_quantile(&row->histogram, gate->quantile->share).value;
	double limit = gate->limit;
	struct sink line;

	if (gate->is_duration && sides->after->unit_ns > 0)
		limit /= sides->after->unit_ns;
	if (!(value > limit))
		return EXIT_DONE;
	sink_init_memory(&line);
	name_row(gate, row, &line);
	sink_puts(&line, " is ");
	histogram_value(sides->after, value, &line);
	sink_puts(&line, ", more than ");
	histogram_value(sides->after, limit, &line);
	command_warn(sides->settings, "--fail-if %s: %.*s", gate->asked,
		     (int)sink_memory(&line).length, sink_memory(&line).at);
	sink_deinit(&line);
	return EXIT_REGRESSED;
}

static void write_percent(double change, struct sink *sink)
{
	if (isinf(change))
		sink_puts(sink, change < 0 ? "-∞" : "+∞");
	else
		sink_printf(sink, "%+.1f%%", change * 100);
}

static enum exit_code check_growth(const struct gate_sides *sides, const struct value_gate *gate,
				   const struct named_histogram *row)
{
	const struct histogram *was = histogram_set_find(sides->before, row->name);
	bool fails = sides->settings->diff.fails_on_uncertain;
	struct quantile_shift shift;
	bool is_exceeded;
	struct sink line;

	/* A new row has not grown. */
	if (!was)
		return EXIT_DONE;
	shift = quantile_shift_of(was, &row->histogram, gate->quantile->share,
				  HISTOGRAM_CONFIDENCE);
	is_exceeded = shift.low > gate->limit;
	if (!is_exceeded &&
	    (shift.high <= gate->limit || (!fails && !(shift.change > gate->limit))))
		return EXIT_DONE;
	sink_init_memory(&line);
	name_row(gate, row, &line);
	sink_puts(&line, is_exceeded ? " grew by " : " may have grown by ");
	write_percent(shift.change, &line);
	sink_puts(&line, " (");
	write_percent(shift.low, &line);
	sink_puts(&line, " to ");
	write_percent(shift.high, &line);
	command_warn(sides->settings, "--fail-if %s: %.*s)%s", gate->asked,
		     (int)sink_memory(&line).length, sink_memory(&line).at,
		     is_exceeded ? ""
		     : fails     ? "; failing because of --fail-on-uncertain"
				 : "; more values are needed to decide");
	sink_deinit(&line);
	return is_exceeded || fails ? EXIT_REGRESSED : EXIT_DONE;
}

/* Limits of durations need a unit, and others must not have one. */
static bool check_unit(const struct gate_sides *sides, const struct value_gate *gate)
{
	bool are_durations = sides->after->unit_ns > 0;

	if (gate->is_growth || gate->is_duration == are_durations)
		return true;
	command_warn(sides->settings, "--fail-if %s: %s", gate->asked,
		     are_durations ? "values are durations, so the limit must have a unit, as in "
				     "5ms"
				   : "values are not durations, so the limit must not have a unit");
	return false;
}

static enum exit_code check_gate(const struct gate_sides *sides, const struct value_gate *gate)
{
	enum exit_code worst = EXIT_DONE;
	struct name_pattern pattern = { .kind = NAME_LITERAL };
	size_t match_count = 0;
	struct error err;

	if (!check_unit(sides, gate))
		return EXIT_WRONG_USAGE;
	/* value_gates_parse has checked it. */
	if (gate->rows.at && !name_pattern_parse("fail-if", gate->rows, &pattern, &err))
		return command_fail(&err);
	for (size_t i = 0; i < sides->after->rows.count; i++) {
		const struct named_histogram *row = &sides->after->rows.at[i];
		enum exit_code code;

		if (gate->rows.at ? !row->name.length || !name_pattern_fits(&pattern, row->name)
				  : row->name.length != 0)
			continue;
		match_count++;
		code = gate->is_growth ? check_growth(sides, gate, row)
				       : check_value(sides, gate, row);
		worst = code > worst ? code : worst;
	}
	if (gate->rows.at)
		name_pattern_deinit(&pattern);
	if (match_count)
		return worst;
	command_warn(sides->settings, "--fail-if %s: no row with durations has this name",
		     gate->asked);
	return EXIT_WRONG_USAGE;
}

static enum exit_code check_gates(const struct gate_sides *sides)
{
	const text_list *limits = &sides->settings->diff.limits;
	enum exit_code worst = EXIT_DONE;

	for (size_t i = 0; i < limits->count; i++) {
		struct value_gate gate;
		enum exit_code code =
			parse_gate(limits->at[i], &gate) ? check_gate(sides, &gate) : EXIT_DONE;

		worst = code > worst ? code : worst;
	}
	return worst;
}

static bool are_comparable(const struct histogram_set *before, const struct histogram_set *after,
			   struct error *err)
{
	return before->unit_ns == after->unit_ns ||
	       error_set(err, ERROR_USAGE,
			 "the units of %.*s and %.*s differ, so they cannot be compared",
			 (int)before->what.length, before->what.at, (int)after->what.length,
			 after->what.at);
}

static bool has_values(const struct inputs *inputs, const struct histogram_set *set,
		       struct error *err)
{
	return set->rows.at[0].histogram.count ||
	       error_set(err, ERROR_USAGE, "%s: contains only sums, no single durations or values",
			 inputs->paths.at[0]);
}

/* Reads the capture of --compare. The caller frees ret, even after an error. */
static bool read_before(struct inputs *inputs, const struct value_gates_reader *reader,
			struct histogram_set *ret)
{
	bool good = inputs_next(inputs) && inputs_read(inputs, reader->read);

	if (good) {
		reader->make(&inputs->session, ret);
		inputs_check(inputs, has_values(inputs, ret, &inputs->err));
	}
	inputs_close(inputs, NULL);
	return inputs_finish(inputs) && good;
}

static enum exit_code compare(struct inputs *inputs, const struct value_gates_reader *reader,
			      const struct histogram_set *after, bool is_json, struct sink *sink)
{
	const struct settings *settings = inputs->settings;
	const struct histogram_text_options drawing = {
		.is_json = is_json,
		.limit = settings->limit ? settings->limit : GROUPS_DEFAULT,
	};
	struct inputs of_before = { .settings = settings, .paths = settings->diff.before };
	struct histogram_set before = { .unit_ns = 0 };
	enum exit_code code = EXIT_DONE;

	if (read_before(&of_before, reader, &before) &&
	    are_comparable(&before, after, &of_before.err)) {
		histogram_text_compare(&before, after, &drawing, sink);
		code = check_gates(&(struct gate_sides){ settings, &before, after });
	} else {
		inputs->err = of_before.err;
		inputs_check(inputs, false);
	}
	inputs->is_partial |= of_before.is_partial;
	histogram_set_deinit(&before);
	return code;
}

enum exit_code value_gates_run(struct inputs *inputs, const struct value_gates_reader *reader,
			       bool is_json, struct sink *sink)
{
	struct histogram_set after;
	enum exit_code code = EXIT_DONE;

	if (!value_gates_are_used(inputs->settings))
		return EXIT_DONE;
	reader->make(&inputs->session, &after);
	inputs_check(inputs, has_values(inputs, &after, &inputs->err));
	if (!inputs->has_failed && inputs->settings->diff.before.count)
		code = compare(inputs, reader, &after, is_json, sink);
	else if (!inputs->has_failed)
		code = check_gates(&(struct gate_sides){ inputs->settings, NULL, &after });
	histogram_set_deinit(&after);
	return code;
}
