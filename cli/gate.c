/* SPDX-License-Identifier: MIT */
#include "cli/gate.h"

#include <math.h>
#include <stdlib.h>

#include "base/name_pattern.h"
#include "base/scan.h"
#include "cli/duration.h"

/* The number of rows named in a message. */
#define NAMED_MAX 3

/* Reads "10%", "5ms" or "5"; "-10%" after "<". */
static bool parse_limit(const char *text, struct gate *ret)
{
	struct error ignored;
	uint64_t limit_ns;
	char *end;

	ret->is_fall = ret->is_below && *text == '-';
	text += ret->is_fall;
	if (!is_digit(*text))
		return false;
	ret->limit = strtod(text, &end);
	/* strtod() also reads hexadecimal numbers. */
	if (!isfinite(ret->limit) || (text[strspn(text, "0123456789")] | 32) == 'x')
		return false;
	ret->unit = strcmp(end, "%") == 0 ? GATE_PERCENT : GATE_NUMBER;
	/* Nothing can fall by more than 100%. */
	if (ret->is_fall) {
		ret->limit = -ret->limit;
		return ret->unit == GATE_PERCENT && ret->limit > -100;
	}
	if (!*end || ret->unit == GATE_PERCENT)
		return true;
	if (!duration_parse("fail-if", text, &limit_ns, &ignored))
		return false;
	ret->unit = GATE_DURATION;
	ret->limit = (double)limit_ns;
	return true;
}

/* Template names can also contain "<" and ">", so the last of these signs is used. */
static const char *find_sign(const char *text)
{
	const char *above = strrchr(text, '>');
	const char *below = strrchr(text, '<');

	return !above || (below && below > above) ? below : above;
}

static bool parse_subject(struct text subject, struct gate *ret)
{
	const char *open = subject.length ? memchr(subject.at, '(', subject.length) : NULL;

	ret->measure = subject;
	if (!open || !text_has_suffix(subject, ")"))
		return subject.length;
	ret->measure.length = (uint32_t)(open - subject.at);
	ret->rows = text_between(open + 1, subject.at + subject.length - 1);
	return ret->measure.length && ret->rows.length;
}

bool gate_parse(const char *text, struct gate *ret, struct error *err)
{
	const char *sign = find_sign(text);
	struct name_pattern pattern;

	*ret = (struct gate){ .asked = text, .is_below = sign && *sign == '<' };
	if (!sign || !parse_limit(sign + 1, ret) ||
	    !parse_subject((struct text){ text, (uint32_t)(sign - text) }, ret))
		return error_set(
			err, ERROR_USAGE,
			"--fail-if requires a column, a name in parentheses if needed, and a "
			"limit, such as 'p99(futex)>5ms' or 'p99>5ms', not \"%s\"",
			text);
	if (!ret->rows.at)
		return true;
	if (!name_pattern_parse("fail-if", ret->rows, &pattern, err))
		return false;
	name_pattern_deinit(&pattern);
	return true;
}

bool gate_check_uncertain(const struct settings *settings, struct error *err)
{
	return !settings->diff.fails_on_uncertain ||
	       (settings->diff.limits.count && settings->diff.before.count) ||
	       error_set(err, ERROR_USAGE, "--fail-on-uncertain requires --fail-if and --compare");
}

void gate_write_subject(const struct gate *gate, struct text name, struct sink *sink)
{
	sink_text(sink, gate->measure);
	if (!name.length)
		return;
	sink_char(sink, '(');
	sink_text(sink, name);
	sink_char(sink, ')');
}

void gate_findings_init(struct gate_findings *findings, const struct gate *gate)
{
	*findings = (struct gate_findings){ .gate = gate };
	sink_init_memory(&findings->named);
}

void gate_findings_deinit(struct gate_findings *findings)
{
	sink_deinit(&findings->named);
}

struct sink *gate_findings_add(struct gate_findings *findings, struct text name)
{
	struct sink *sink = &findings->named;

	if (findings->count++ >= NAMED_MAX)
		return NULL;
	sink_puts(sink, findings->count > 1 ? ", " : "");
	gate_write_subject(findings->gate, name, sink);
	sink_puts(sink, " is ");
	return sink;
}

enum exit_code gate_findings_report(const struct gate_findings *findings,
				    const struct settings *settings, struct text limit)
{
	struct text named = { findings->named.buffer, (uint32_t)findings->named.used };
	char more[40] = "";

	if (!findings->count)
		return EXIT_DONE;
	if (findings->count > NAMED_MAX)
		snprintf(more, sizeof(more), " and %zu more", findings->count - NAMED_MAX);
	command_warn(settings, "--fail-if %s: %.*s%s, %s than %.*s", findings->gate->asked,
		     (int)named.length, named.at, more, findings->gate->is_below ? "less" : "more",
		     (int)limit.length, limit.at);
	return EXIT_REGRESSED;
}
