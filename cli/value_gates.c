/* SPDX-License-Identifier: MIT */
#include "cli/value_gates.h"

#include <math.h>
#include <stddef.h>

#include "base/name_pattern.h"
#include "cli/gate.h"
#include "cli/table_gates.h"
#include "render/text/histogram_text.h"

/* Number of groups that are compared, in addition to the group of all values. */
#define GROUPS_DEFAULT 10

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option options[] = {
	{ .name = "compare", .kind = OPTION_LIST, .offset = AT(diff.before), .argument = "BEFORE",
	  .help = "show how the percentiles of each row changed since the capture BEFORE" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(diff.limits),
	  .argument = "LIMIT",
	  .help = "exit with status 4 if a value exceeds LIMIT: 'p99(NAME)>5ms' limits a percentile "
		  "or another column of row NAME, and 'p99(NAME)>10%' limits the growth of a "
		  "percentile since BEFORE",
	  .more = "'p99(NAME)<-10%' limits how far a percentile may fall. A limit on a change is "
		  "exceeded only if the whole confidence interval is beyond it. NAME is the name "
		  "of a row, or a pattern; without NAME, the limit applies to all rows together. "
		  "With < in place of >, the limit is a minimum" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(diff.fails_on_uncertain),
	  .help = "also exit with status 4 if the data cannot show whether a --fail-if limit is "
		  "exceeded" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group value_gates_options = { "Comparison", options };

static const struct histogram_quantile_name *find_quantile(struct text name)
{
	for (size_t i = 0; i < HISTOGRAM_QUANTILES; i++)
		if (text_is(name, histogram_quantiles[i].name))
			return &histogram_quantiles[i];
	return NULL;
}

static bool check_gate_text(const struct settings *settings, const char *text, struct error *err)
{
	struct gate gate;

	if (!gate_parse(text, &gate, err))
		return false;
	if (!find_quantile(gate.measure) || gate.unit != GATE_PERCENT)
		return true;
	if (gate.is_below && !gate.is_fall)
		return error_set(err, ERROR_USAGE,
				 "--fail-if %s: a limit in percent limits a change, so it requires "
				 "\">\" or \"<-\"",
				 text);
	return settings->diff.before.count ||
	       error_set(
		       err, ERROR_USAGE,
		       "--fail-if %s: a limit in percent limits a change, so it requires --compare BEFORE",
		       text);
}

bool value_gates_parse(const struct settings *settings, bool has_text, struct error *err)
{
	for (size_t i = 0; i < settings->diff.limits.count; i++)
		if (!check_gate_text(settings, settings->diff.limits.at[i], err))
			return false;
	if (settings->diff.before.count > 1)
		return error_set(err, ERROR_USAGE, "this command accepts only one --compare");
	if (!gate_check_uncertain(settings, err))
		return false;
	return has_text || !settings->diff.before.count ||
	       error_set(err, ERROR_USAGE, "--compare supports only --format text and json");
}

bool value_gates_parse_quantiles(const struct settings *settings, struct error *err)
{
	struct gate gate;

	for (size_t i = 0; i < settings->diff.limits.count; i++) {
		const char *text = settings->diff.limits.at[i];

		if (!check_gate_text(settings, text, err))
			return false;
		if (gate_parse(text, &gate, err) && !find_quantile(gate.measure))
			return error_set(err, ERROR_USAGE,
					 "--fail-if %s: only p50, p90, p99 and p999 of "
					 "distributions can have limits",
					 text);
	}
	return true;
}

struct gate_sides {
	const struct settings *settings;
	const struct histogram_set *before; /* NULL if there is no --compare */
	const struct histogram_set *after;
};

/* A row with a limit on one of its quantiles. */
struct limited_row {
	const struct gate_sides *sides;
	const struct histogram_quantile_name *quantile;
	const struct named_histogram *row;
};

/* Checks a limit on the value itself. limit: the limit in the unit of the values. */
static void check_value(const struct limited_row *of, double limit, struct gate_findings *findings)
{
	double value = histogram_quantile(&of->row->histogram, of->quantile->share).value;
	struct sink *sink;

	if (!gate_is_exceeded(findings->gate, value, limit))
		return;
	sink = gate_findings_add(findings, of->row->name);
	if (sink)
		histogram_value(of->sides->after, value, sink);
}

static void write_percent(double change, struct sink *sink)
{
	if (isinf(change))
		sink_puts(sink, change < 0 ? "-∞" : "+∞");
	else
		sink_printf(sink, "%+.1f%%", change * 100);
}

/* Checks how much a quantile grew or, with "<-", fell since BEFORE. */
static enum exit_code check_change(const struct limited_row *of, const struct gate *gate)
{
	const struct gate_sides *sides = of->sides;
	const struct histogram *was = histogram_set_find(sides->before, of->row->name);
	bool fails = sides->settings->diff.fails_on_uncertain;
	double limit = gate->limit / 100;
	struct quantile_shift shift;
	bool is_exceeded;
	struct sink line;

	/* A new row has not grown. */
	if (!was)
		return EXIT_DONE;
	shift = quantile_shift_of(was, &of->row->histogram, of->quantile->share,
				  HISTOGRAM_CONFIDENCE);
	is_exceeded = gate_is_exceeded(gate, gate->is_below ? shift.high : shift.low, limit);
	if (!is_exceeded && !gate_is_exceeded(gate, gate->is_below ? shift.low : shift.high, limit))
		return EXIT_DONE;
	if (!is_exceeded && !fails && !gate_is_exceeded(gate, shift.change, limit))
		return EXIT_DONE;
	sink_init_memory(&line);
	gate_write_subject(gate, of->row->name, &line);
	sink_puts(&line, gate->is_below ? (is_exceeded ? " changed by " : " may have changed by ")
			 : is_exceeded  ? " grew by "
					: " may have grown by ");
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

/* Limits on durations must have a unit; other limits must not have one. */
static bool check_unit(const struct gate_sides *sides, const struct gate *gate)
{
	bool are_durations = sides->after->unit_ns > 0;

	if (gate->unit == GATE_PERCENT || (gate->unit == GATE_DURATION) == are_durations)
		return true;
	command_warn(sides->settings, "--fail-if %s: %s", gate->asked,
		     are_durations ? "values are durations, so the limit must have a unit, as in "
				     "5ms"
				   : "values are not durations, so the limit must not have a unit");
	return false;
}

static bool is_limited(const struct gate *gate, const struct name_pattern *pattern,
		       const struct named_histogram *row)
{
	return gate->rows.at ? row->name.length && name_pattern_fits(pattern, row->name)
			     : !row->name.length;
}

/* Checks all rows that the limit names. *match_count: the number of these rows. */
static enum exit_code check_rows(const struct gate_sides *sides, const struct gate *gate,
				 const struct name_pattern *pattern, size_t *match_count)
{
	const struct histogram_set *after = sides->after;
	double limit = gate->unit == GATE_DURATION ? gate->limit / after->unit_ns : gate->limit;
	enum exit_code worst = EXIT_DONE;
	struct gate_findings findings;
	enum exit_code code;
	struct sink words;

	gate_findings_init(&findings, gate);
	for (size_t i = 0; i < after->rows.count; i++) {
		const struct limited_row row = { sides, find_quantile(gate->measure),
						 &after->rows.at[i] };

		if (!is_limited(gate, pattern, row.row))
			continue;
		++*match_count;
		if (gate->unit != GATE_PERCENT)
			check_value(&row, limit, &findings);
		else if ((code = check_change(&row, gate)) > worst)
			worst = code;
	}
	sink_init_memory(&words);
	histogram_value(after, limit, &words);
	code = gate_findings_report(&findings, sides->settings, sink_memory(&words));
	sink_deinit(&words);
	gate_findings_deinit(&findings);
	return code > worst ? code : worst;
}

static enum exit_code check_gate(const struct gate_sides *sides, const struct gate *gate)
{
	struct name_pattern pattern = { .kind = NAME_LITERAL };
	enum exit_code code;
	size_t match_count = 0;
	struct error err;

	if (!check_unit(sides, gate))
		return EXIT_WRONG_USAGE;
	/* gate_parse has checked it. */
	if (gate->rows.at && !name_pattern_parse("fail-if", gate->rows, &pattern, &err))
		return command_fail(&err);
	code = check_rows(sides, gate, &pattern, &match_count);
	if (gate->rows.at)
		name_pattern_deinit(&pattern);
	if (match_count)
		return code;
	command_warn(sides->settings, "--fail-if %s: no row of this name has values", gate->asked);
	return EXIT_WRONG_USAGE;
}

/* Checks the limits on quantiles, or the limits on other columns. */
static enum exit_code check_gates(const struct gate_sides *sides, const struct table *table)
{
	const text_list *limits = &sides->settings->diff.limits;
	enum exit_code worst = EXIT_DONE;

	for (size_t i = 0; i < limits->count; i++) {
		enum exit_code code = EXIT_DONE;
		struct error ignored;
		struct gate gate;

		/* value_gates_parse has checked it. */
		if (!gate_parse(limits->at[i], &gate, &ignored))
			continue;
		if (!find_quantile(gate.measure) && table)
			code = table_gate_check(sides->settings, table, &gate);
		else if (find_quantile(gate.measure) && !table)
			code = check_gate(sides, &gate);
		worst = code > worst ? code : worst;
	}
	return worst;
}

enum exit_code value_gates_check(const struct settings *settings,
				 const struct histogram_set *before,
				 const struct histogram_set *after)
{
	return check_gates(&(struct gate_sides){ settings, before, after }, NULL);
}

static bool has_values(const struct inputs *inputs, const struct histogram_set *set,
		       struct error *err)
{
	return set->rows.at[0].histogram.count ||
	       error_set(err, ERROR_USAGE,
			 "%s: percentiles require individual durations or values, which the input "
			 "does not contain",
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
	    histogram_sets_match(&before, after, &of_before.err)) {
		histogram_text_compare(&before, after, &drawing, sink);
		code = value_gates_check(settings, &before, after);
	} else {
		inputs->err = of_before.err;
		inputs_check(inputs, false);
	}
	inputs->is_partial |= of_before.is_partial;
	histogram_set_deinit(&before);
	return code;
}

/* Whether --compare or a limit needs distributions, and whether a limit needs the whole table. */
static void find_needs(const struct settings *settings, bool *needs_values, bool *needs_table)
{
	struct error ignored;
	struct gate gate;

	*needs_values = settings->diff.before.count;
	*needs_table = false;
	for (size_t i = 0; i < settings->diff.limits.count; i++) {
		bool is_quantile = gate_parse(settings->diff.limits.at[i], &gate, &ignored) &&
				   find_quantile(gate.measure);

		*needs_values |= is_quantile;
		*needs_table |= !is_quantile;
	}
}

static enum exit_code check_values(struct inputs *inputs, const struct value_gates_reader *reader,
				   bool is_json, struct sink *sink)
{
	struct histogram_set after;
	enum exit_code code = EXIT_DONE;

	reader->make(&inputs->session, &after);
	inputs_check(inputs, has_values(inputs, &after, &inputs->err));
	if (!inputs->has_failed && inputs->settings->diff.before.count)
		code = compare(inputs, reader, &after, is_json, sink);
	else if (!inputs->has_failed)
		code = value_gates_check(inputs->settings, NULL, &after);
	histogram_set_deinit(&after);
	return code;
}

enum exit_code value_gates_run(struct inputs *inputs, const struct value_gates_reader *reader,
			       bool is_json, struct sink *sink)
{
	const struct gate_sides sides = { .settings = inputs->settings };
	enum exit_code of_table = EXIT_DONE;
	enum exit_code of_values = EXIT_DONE;
	bool needs_values, needs_table;
	struct table table;

	find_needs(inputs->settings, &needs_values, &needs_table);
	if (needs_table) {
		reader->make_table(&inputs->session, &table);
		of_table = check_gates(&sides, &table);
		table_deinit(&table);
	}
	if (needs_values)
		of_values = check_values(inputs, reader, is_json, sink);
	return of_values > of_table ? of_values : of_table;
}
