/* SPDX-License-Identifier: MIT */
/*
 * Checks the gates of --fail-if. A gate limits how much a function, or the total, may grow or fall.
 * Gates use the same intervals as all outputs.
 *
 *     total>5%                the total
 *     parse_header>2.5%       total of a function, relative to the BEFORE side
 *     parse_header>2pp        the same in percentage points of the AFTER side
 *     any>2pp                 self or total of any function
 *     std::*>2pp, /^x/>5%     each function that matches
 *     total<-5%               the same for weights that fell, such as counters of work done
 *
 *     limit  |--- interval ---|      exceeded
 *     |-- limit ------|              uncertain; fails with --fail-on-uncertain
 *     |--- interval ---|  limit      not exceeded
 */
#ifndef TOOLS_DIFF_DIFF_GATE_H
#define TOOLS_DIFF_DIFF_GATE_H

#include "diff/diff.h"
#include "cli/command.h"
#include "cli/settings.h"

enum diff_gate_subject {
	DIFF_GATE_NAME,
	DIFF_GATE_TOTAL,
	DIFF_GATE_ANY,
	DIFF_GATE_REGEX,
};

struct diff_gate {
	struct text asked; /* as given, without the limit */
	struct text name;  /* name, glob or regular expression */
	enum diff_gate_subject subject;
	bool is_exact;  /* =NAME: not a glob */
	bool is_points; /* in points, not in percent */
	bool is_fall;   /* "<-5%": limits how far it may fall */
	double limit;   /* of a fall: positive */
};

/* The change in the direction that the gate limits: positive if it may exceed the limit. */
static inline double diff_gate_toward(const struct diff_gate *gate, double change)
{
	return gate->is_fall ? -change : change;
}

/* "grew" or "fell". */
static inline const char *diff_gate_verb(const struct diff_gate *gate)
{
	return gate->is_fall ? "fell" : "grew";
}

bool diff_gate_parse(const char *text, struct diff_gate *ret, struct error *err) WARN_UNUSED;

/* Checks the syntax of all gates. */
bool diff_gates_parse(const struct settings *settings, struct error *err) WARN_UNUSED;

/* Calls check_one for each gate; returns the worst result. */
typedef enum exit_code diff_gate_check(const struct settings *settings, const void *comparison,
				       const struct diff_gate *gate);
enum exit_code diff_gates_worst(const struct settings *settings, diff_gate_check *check_one,
				const void *comparison);

/*
 * Checks all gates, and reports on standard error. Returns EXIT_REGRESSED if a gate is exceeded, or
 * if a gate is uncertain and --fail-on-uncertain is given. Otherwise, returns EXIT_WRONG_USAGE if a
 * gate does not match any function, unless --allow-missing is given; else EXIT_DONE.
 */
enum exit_code diff_gates_check(const struct settings *settings, const struct diff *diff);

#endif
