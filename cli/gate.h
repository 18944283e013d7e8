/* SPDX-License-Identifier: MIT */
/*
 * A limit of --fail-if on the values of a table, and the message if it is exceeded:
 *
 *     p99(futex)>5ms      the 99th percentile of the row "futex"
 *     self(parse_*)>5%    self of each row that the pattern matches
 *     IPC<0.5             the value for all rows together
 *
 * The name of a row consists of its keys, joined by semicolons.
 */
#ifndef CLI_GATE_H
#define CLI_GATE_H

#include "base/sink.h"
#include "cli/command.h"

enum gate_unit {
	GATE_NUMBER,
	GATE_PERCENT,
	GATE_DURATION,
};

struct gate {
	const char *asked;   /* as given */
	struct text measure; /* the name of a quantile or column */
	struct text rows;    /* name or pattern; .at NULL: all rows together */
	bool is_below;       /* smaller values exceed the limit, not larger ones */
	enum gate_unit unit;
	bool is_fall; /* "<-5%": limits how far a percentile may fall; the limit is negative */
	double limit; /* in nanoseconds for durations */
};

/* Parses a limit. The gate borrows the text. */
bool gate_parse(const char *text, struct gate *ret, struct error *err) WARN_UNUSED;

/*
 * Fails if --fail-on-uncertain is given without a limit and --compare: only a change can
 * be uncertain.
 */
bool gate_check_uncertain(const struct settings *settings, struct error *err) WARN_UNUSED;

/* Whether this value exceeds the limit. limit: gate->limit in the unit of the value. */
static inline bool gate_is_exceeded(const struct gate *gate, double value, double limit)
{
	return gate->is_below ? value < limit : value > limit;
}

/* Writes "p99(futex)". name: empty for all rows together. */
void gate_write_subject(const struct gate *gate, struct text name, struct sink *sink);

/* Collects the rows that exceed a limit, as one line of text. */
struct gate_findings {
	const struct gate *gate;
	struct sink named; /* the first few rows */
	size_t count;
};

void gate_findings_init(struct gate_findings *findings, const struct gate *gate);
void gate_findings_deinit(struct gate_findings *findings);

/*
 * Adds a row. name: empty for all rows together. Returns where to write its value, or NULL if
 * enough rows are named already.
 */
struct sink *gate_findings_add(struct gate_findings *findings, struct text name);

/* Prints the rows, if there are any, and returns EXIT_REGRESSED; else EXIT_DONE. */
enum exit_code gate_findings_report(const struct gate_findings *findings,
				    const struct settings *settings, struct text limit);

/* The exit code of a command: the worse of the exit codes of its output and of its limits. */
static inline enum exit_code gate_worst(enum exit_code closed, enum exit_code limits)
{
	return closed == EXIT_DONE || (closed == EXIT_PARTIAL && limits != EXIT_DONE) ? limits
										      : closed;
}

#endif
