/* SPDX-License-Identifier: MIT */
#include "tools/diff/diff_gate.h"

#include <fnmatch.h>
#include <math.h>
#include <regex.h>

#include "base/scan.h"
#include "diff/align/diff_name.h"
#include "render/diff/diff_text.h"
#include "render/escape.h"

/* The number of functions named in a message. */
#define NAMED_MAX 3

static bool parse_subject(struct diff_gate *gate, struct error *err)
{
	struct text asked = gate->asked;

	gate->name = asked;
	if (asked.at[0] == '=') {
		gate->name = (struct text){ asked.at + 1, asked.length - 1 };
		gate->is_exact = true;
	} else if (text_is(asked, "total")) {
		gate->subject = DIFF_GATE_TOTAL;
	} else if (text_is(asked, "any")) {
		gate->subject = DIFF_GATE_ANY;
	} else if (asked.length > 2 && asked.at[0] == '/' && asked.at[asked.length - 1] == '/') {
		gate->name = (struct text){ asked.at + 1, asked.length - 2 };
		gate->subject = DIFF_GATE_REGEX;
	}
	return gate->subject != DIFF_GATE_TOTAL || !gate->is_points ||
	       error_set(err, ERROR_USAGE,
			 "--fail-if: the limit for the total must be a percentage, such as "
			 "'total%s%g%%'",
			 gate->is_fall ? "<-" : ">", gate->limit);
}

/* Template names can also contain these signs, so the limit begins at the last ">" or "<-". */
static const char *find_limit(const char *text)
{
	const char *above = strrchr(text, '>');
	const char *below = strrchr(text, '<');

	return below && below > above && below[1] == '-' ? below : above;
}

bool diff_gate_parse(const char *text, struct diff_gate *ret, struct error *err)
{
	const char *sign = find_limit(text);
	const char *number;
	char *end = NULL;

	*ret = (struct diff_gate){ .is_fall = sign && *sign == '<' };
	number = sign ? sign + 1 + ret->is_fall : NULL;
	if (sign && sign > text + (*text == '=') && is_digit(*number))
		ret->limit = strtod(number, &end);
	ret->is_points = end && strcmp(end, "pp") == 0;
	/* strtod() also reads hexadecimal numbers. Nothing can fall by more than 100%. */
	if (!end || (!ret->is_points && strcmp(end, "%") != 0) || !isfinite(ret->limit) ||
	    (number[strspn(number, "0123456789")] | 32) == 'x' ||
	    (ret->is_fall && ret->limit >= 100))
		return error_set(err, ERROR_USAGE,
				 "--fail-if requires NAME>N%%, NAME>Npp or NAME<-N%%, such as "
				 "'total>5%%', 'any>2pp' or 'IPC<-5%%', not \"%s\"",
				 text);
	ret->asked = (struct text){ text, (uint32_t)(sign - text) };
	return parse_subject(ret, err);
}

/* The name in a gate, as fnmatch() and regexec() need it: NUL-terminated. */
struct matcher {
	const struct diff_gate *gate;
	struct sink name, aligned; /* as given, and aligned */
	struct text renamed;       /* the new name, from --rename FILE; empty if none */
	bool is_glob;
	regex_t regex;
};

/* Returns the new name that --rename FILE has for an aligned name; empty if there is none. */
static struct text find_renamed(const struct diff *diff, struct text name)
{
	const struct diff_renames *renames = diff->options.alignment.renames;
	str_id old = renames ? strings_find(&renames->names, name) : STR_EMPTY;

	return old.i && old.i < renames->to.count
		       ? strings_get(&renames->names, renames->to.at[old.i])
		       : (struct text){ "", 0 };
}

static bool matcher_init(struct matcher *matcher, const struct diff_gate *gate,
			 const struct diff *diff, struct error *err)
{
	char reason[100];
	int problem;

	*matcher = (struct matcher){ .gate = gate };
	sink_init_memory(&matcher->name);
	sink_init_memory(&matcher->aligned);
	sink_text(&matcher->name, gate->name);
	sink_char(&matcher->name, '\0');
	if (diff) {
		diff_name_write_readable(&matcher->aligned, gate->name,
					 diff->options.alignment.naming,
					 diff->options.alignment.demangle);
		matcher->renamed = find_renamed(diff, sink_memory(&matcher->aligned));
	}
	if (gate->subject != DIFF_GATE_REGEX)
		return true;
	problem = regcomp(&matcher->regex, matcher->name.buffer, REG_EXTENDED | REG_NOSUB);
	if (!problem)
		return true;
	regerror(problem, &matcher->regex, reason, sizeof(reason));
	error_set(err, ERROR_USAGE, "--fail-if: /%s/: %s", matcher->name.buffer, reason);
	sink_deinit(&matcher->name);
	sink_deinit(&matcher->aligned);
	return false;
}

static void matcher_deinit(struct matcher *matcher)
{
	if (matcher->gate->subject == DIFF_GATE_REGEX)
		regfree(&matcher->regex);
	sink_deinit(&matcher->name);
	sink_deinit(&matcher->aligned);
}

bool diff_gates_parse(const struct settings *settings, struct error *err)
{
	for (size_t i = 0; i < settings->diff.limits.count; i++) {
		struct matcher matcher;
		struct diff_gate gate;

		if (!diff_gate_parse(settings->diff.limits.at[i], &gate, err) ||
		    !matcher_init(&matcher, &gate, NULL, err))
			return false;
		matcher_deinit(&matcher);
	}
	return true;
}

static struct text name_of(const struct diff *diff, const struct diff_function *function)
{
	return profile_frame_name(&diff->profile, (frame_id){ function->frame });
}

static bool is_match(const struct matcher *matcher, struct text name)
{
	regmatch_t whole = { 0, (regoff_t)name.length };
	bool matches = false;
	char *copy;

	if (matcher->gate->subject == DIFF_GATE_ANY)
		return true;
	if (matcher->gate->subject == DIFF_GATE_REGEX)
		return regexec(&matcher->regex, name.at, 1, &whole, REG_STARTEND) == 0;
	if (!matcher->is_glob)
		return text_equal(name, sink_memory(&matcher->aligned)) ||
		       (matcher->renamed.length && text_equal(name, matcher->renamed));
	copy = memory_duplicate(name.at, name.length);
	matches = fnmatch(matcher->name.buffer, copy, 0) == 0;
	memory_free(copy);
	return matches;
}

/* Whether this is the function's name, or was its name on one side before it was paired. */
static bool matches_function(const struct matcher *matcher, const struct diff *diff,
			     const struct diff_function *function)
{
	str_id name = diff->profile.frames.at[function->frame].name;

	if (is_match(matcher, name_of(diff, function)))
		return true;
	for (size_t i = 0; i < diff->aligned.pairs.count; i++) {
		const struct diff_pair *pair = &diff->aligned.pairs.at[i];

		if (pair->kind == DIFF_PAIR_LIKELY || pair->shown.i != name.i)
			continue;
		for (int side = 0; side < DIFF_SIDES; side++)
			if (is_match(matcher,
				     strings_get(diff->profile.strings, pair->names[side])))
				return true;
	}
	return false;
}

/*
 * Names can contain glob characters, so a text is a glob only if no function has exactly this name.
 */
static bool is_glob(const struct matcher *matcher, const struct diff *diff)
{
	const struct diff_gate *gate = matcher->gate;

	if (gate->subject != DIFF_GATE_NAME || gate->is_exact ||
	    !strpbrk(matcher->name.buffer, "*?["))
		return false;
	for (size_t i = 0; i < diff->functions.count; i++)
		if (matches_function(matcher, diff, &diff->functions.at[i]))
			return false;
	return true;
}

/* The growth of a function or the total. */
struct gate_growth {
	struct text name; /* NULL means the total */
	double change;
	struct diff_interval interval;
	bool is_graded, is_new;
	bool is_shifted; /* only its share grew, like the shares of functions that did not change */
};

enum outcome {
	OUTCOME_WITHIN,
	OUTCOME_UNCERTAIN,
	OUTCOME_EXCEEDED,
};

static bool seems_exceeded(const struct diff_gate *gate, const struct gate_growth *growth)
{
	return diff_gate_toward(gate, growth->change) > gate->limit;
}

static enum outcome outcome_of(const struct diff_gate *gate, const struct gate_growth *growth)
{
	const struct diff_interval *interval = &growth->interval;
	double least = gate->is_fall ? interval->high : interval->low;
	double most = gate->is_fall ? interval->low : interval->high;

	if (growth->is_shifted)
		return OUTCOME_WITHIN;
	if (!growth->is_graded)
		return seems_exceeded(gate, growth) ? OUTCOME_UNCERTAIN : OUTCOME_WITHIN;
	if (diff_gate_toward(gate, least) > gate->limit)
		return OUTCOME_EXCEEDED;
	return diff_gate_toward(gate, most) > gate->limit ? OUTCOME_UNCERTAIN : OUTCOME_WITHIN;
}

static struct gate_growth growth_of(const struct diff *diff, const struct diff_gate *gate,
				    const struct diff_function *function, bool is_self)
{
	const struct diff_measure *measure = is_self ? &function->self : &function->total;
	const struct diff_estimate *estimate =
		is_self ? &function->self_estimate : &function->total_estimate;

	return (struct gate_growth){
		.name = name_of(diff, function),
		.change =
			gate->is_points ? diff_points(diff, measure) : diff_percent(diff, measure),
		.interval = gate->is_points ? estimate->points : estimate->percent,
		.is_graded = diff->is_graded,
		.is_new = !measure->weight[DIFF_BEFORE],
		.is_shifted = measure->verdict == DIFF_SHIFTED,
	};
}

/* "grew by 830.0% [+612.1, +1120.9]" */
static void write_growth(const struct diff_gate *gate, const struct gate_growth *growth,
			 struct sink *sink)
{
	if (growth->is_new && !gate->is_points)
		sink_puts(sink, "is new");
	else if (gate->is_points)
		sink_printf(sink, "%s by %.2f points", diff_gate_verb(gate),
			    diff_gate_toward(gate, growth->change));
	else
		sink_printf(sink, "%s by %.1f%%", diff_gate_verb(gate),
			    diff_gate_toward(gate, growth->change));
	if (!growth->is_graded)
		return;
	sink_char(sink, ' ');
	diff_text_interval(&growth->interval, gate->is_points ? 2 : 1, sink);
}

/* The functions that a gate found. */
struct findings {
	size_t count; /* functions that match */
	size_t uncertain, exceeded;
	/* functions that certainly exceed the limit or, if there are none, those that might */
	VEC(struct gate_growth) named;
	bool seems_exceeded;
};

static void add_growth(struct findings *findings, const struct diff_gate *gate,
		       const struct gate_growth *growth)
{
	enum outcome outcome = outcome_of(gate, growth);

	findings->uncertain += outcome == OUTCOME_UNCERTAIN;
	/* The first growth that is certain replaces the findings that may be noise. */
	if (outcome == OUTCOME_EXCEEDED && !findings->exceeded++)
		findings->named.count = 0;
	if (outcome != OUTCOME_EXCEEDED &&
	    (findings->exceeded || outcome == OUTCOME_WITHIN || !seems_exceeded(gate, growth)))
		return;
	findings->seems_exceeded = true;
	vec_push(&findings->named, *growth);
}

static void check_functions(const struct diff *diff, const struct diff_gate *gate,
			    struct findings *findings)
{
	struct matcher matcher;
	struct error ignored;

	/* diff_gates_parse has checked it. */
	if (!matcher_init(&matcher, gate, diff, &ignored))
		return;
	matcher.is_glob = is_glob(&matcher, diff);
	for (size_t i = 0; i < diff->functions.count; i++) {
		const struct diff_function *function = &diff->functions.at[i];
		struct gate_growth total = growth_of(diff, gate, function, false);
		struct gate_growth self = growth_of(diff, gate, function, true);

		if (!matches_function(&matcher, diff, function))
			continue;
		findings->count++;
		/*
		 * For "any", both self weight and total are checked, because the total of a caller
		 * grows with its callees.
		 */
		if (gate->subject == DIFF_GATE_ANY &&
		    outcome_of(gate, &self) > outcome_of(gate, &total))
			add_growth(findings, gate, &self);
		else
			add_growth(findings, gate, &total);
	}
	matcher_deinit(&matcher);
}

static void check_total(const struct diff *diff, const struct diff_gate *gate,
			struct findings *findings)
{
	struct gate_growth growth = {
		.change = diff->overall_percent,
		.interval = diff->overall_estimate.percent,
		.is_graded = true,
	};

	findings->count = 1;
	add_growth(findings, gate, &growth);
}

/* An unknown name is an error, because a mistyped gate would never fail. */
static enum exit_code report_missing(const struct settings *settings, const struct diff_gate *gate)
{
	struct error err;
	const char *called = gate->subject == DIFF_GATE_REGEX ? "matches" : "is named";

	if (settings->diff.allows_missing) {
		command_warn(settings, "--fail-if: no function on either side %s \"%.*s\"", called,
			     (int)gate->name.length, gate->name.at);
		return EXIT_DONE;
	}
	(void)error_set(&err, ERROR_USAGE,
			"--fail-if: no function on either side %s \"%.*s\"; check the spelling, or "
			"use --allow-missing to ignore it",
			called, (int)gate->name.length, gate->name.at);
	return command_fail(&err);
}

/* Whether the message names functions: "any: lookup grew by ...". */
static bool names_functions(const struct diff_gate *gate, const struct findings *findings)
{
	return gate->subject != DIFF_GATE_TOTAL && findings->named.count &&
	       (findings->count != 1 || gate->subject != DIFF_GATE_NAME);
}

static void write_named(const struct diff_gate *gate, const struct findings *findings,
			struct sink *sink)
{
	bool is_one = !names_functions(gate, findings);

	for (size_t i = 0; i < findings->named.count && i < NAMED_MAX; i++) {
		const struct gate_growth *growth = &findings->named.at[i];

		sink_puts(sink, i ? ", " : "");
		if (!is_one) {
			escape_terminal(sink, growth->name);
			sink_char(sink, ' ');
		}
		write_growth(gate, growth, sink);
	}
	if (findings->named.count > NAMED_MAX)
		sink_printf(sink, " and %zu more", findings->named.count - NAMED_MAX);
}

static void write_reason(const struct diff *diff, const struct diff_gate *gate, struct sink *sink)
{
	if (gate->subject == DIFF_GATE_TOTAL && diff_assumes_total_spread(diff))
		sink_printf(sink, "; %s, a run-to-run spread of %g%% is assumed (--assume-spread)",
			    diff_has_runs(diff) ? "with two runs on one side"
						: "with one run per side",
			    diff->options.assumed_spread * 100);
	else if (gate->subject != DIFF_GATE_TOTAL && !diff->is_graded)
		sink_puts(sink, "; the number of samples is unknown, so changes are not graded "
				"(--assume-samples)");
	else if (gate->subject != DIFF_GATE_TOTAL && diff->aligned.has_other_depth)
		sink_puts(sink,
			  "; the sides were unwound differently, so totals of functions are not "
			  "comparable");
	else if (diff_assumes_spread(diff))
		sink_printf(sink, "; a run-to-run spread of %g%% is assumed (--assume-spread)",
			    diff_assumed_function_spread(diff) * 100);
}

static enum exit_code report_findings(const struct settings *settings, const struct diff *diff,
				      const struct diff_gate *gate, const struct findings *findings)
{
	bool fails =
		findings->exceeded || (findings->uncertain && settings->diff.fails_on_uncertain);
	struct sink words;

	if (!fails && !findings->seems_exceeded)
		return EXIT_DONE;
	sink_init_memory(&words);
	sink_text(&words, gate->asked);
	sink_puts(&words, names_functions(gate, findings) ? ": " : " ");
	if (gate->subject == DIFF_GATE_TOTAL && *diff_text_work(diff))
		sink_printf(&words, "%s ", diff_text_work(diff));
	write_named(gate, findings, &words);
	if (findings->exceeded)
		sink_printf(&words, ", more than %g%s", gate->limit,
			    gate->is_points ? " points" : "%");
	else if (findings->seems_exceeded)
		sink_puts(&words, ", which may be noise");
	else
		sink_printf(&words, "may have %s by more than %g%s",
			    gate->is_fall ? "fallen" : "grown", gate->limit,
			    gate->is_points ? " points" : "%");
	write_reason(diff, gate, &words);
	if (fails && !findings->exceeded)
		sink_puts(&words, "; failing because of --fail-on-uncertain");
	command_warn(settings, "%.*s", (int)sink_memory(&words).length, sink_memory(&words).at);
	sink_deinit(&words);
	return fails ? EXIT_REGRESSED : EXIT_DONE;
}

/* A function may be named "total" or "any". */
static void warn_of_name(const struct settings *settings, const struct diff *diff,
			 const struct diff_gate *gate)
{
	for (size_t i = 0; i < diff->functions.count; i++)
		if (text_equal(name_of(diff, &diff->functions.at[i]), gate->asked))
			command_warn(settings,
				     "--fail-if: %.*s does not refer to the function with that "
				     "name; use =%.*s for the function",
				     (int)gate->asked.length, gate->asked.at,
				     (int)gate->asked.length, gate->asked.at);
}

static enum exit_code check_gate(const struct settings *settings, const void *comparison,
				 const struct diff_gate *gate)
{
	const struct diff *diff = comparison;
	struct findings findings = { 0 };
	enum exit_code code;
	struct error err;

	if (gate->subject == DIFF_GATE_TOTAL && diff_has_two_units(diff)) {
		(void)error_set(
			&err, ERROR_USAGE,
			"--fail-if total: the totals have different units; use --weight samples, "
			"or give a function instead of total");
		return command_fail(&err);
	}
	if (gate->subject == DIFF_GATE_TOTAL || gate->subject == DIFF_GATE_ANY)
		warn_of_name(settings, diff, gate);
	if (gate->subject == DIFF_GATE_TOTAL)
		check_total(diff, gate, &findings);
	else
		check_functions(diff, gate, &findings);
	code = findings.count ? report_findings(settings, diff, gate, &findings)
			      : report_missing(settings, gate);
	vec_free(&findings.named);
	return code;
}

enum exit_code diff_gates_worst(const struct settings *settings, diff_gate_check *check_one,
				const void *comparison)
{
	enum exit_code worst = EXIT_DONE;
	struct error ignored;
	struct diff_gate gate;

	for (size_t i = 0; i < settings->diff.limits.count; i++) {
		enum exit_code code = EXIT_DONE;

		/* diff_gates_parse has checked them. */
		if (diff_gate_parse(settings->diff.limits.at[i], &gate, &ignored))
			code = check_one(settings, comparison, &gate);
		if (code > worst)
			worst = code;
	}
	return worst;
}

enum exit_code diff_gates_check(const struct settings *settings, const struct diff *diff)
{
	return diff_gates_worst(settings, check_gate, diff);
}
