/* SPDX-License-Identifier: MIT */
/*
 * What --fail-if asks for: that something did not grow by more than so much. Gates read the intervals that
 * everything else shows.
 *
 *     total>5%                the whole: its time, or how often it happened
 *     parse_header>2.5%       a function with what it calls, over all paths, against what it took
 *     parse_header>2pp        the same, in percent points of the side after
 *     any>2pp                 any function, itself or with what it calls
 *     std::*>2pp, /^x/>5%     each function of such a name
 *
 *     limit  |--- interval ---|      exceeded
 *     |-- limit ------|              uncertain, which fails only when asked for
 *     |--- interval ---|  limit      not exceeded
 */
#ifndef TOOLS_DIFF_GATE_H
#define TOOLS_DIFF_GATE_H

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
	struct text asked; /* as it was written, without its limit */
	struct text name;  /* of functions or counters: a name or glob, or an expression */
	enum diff_gate_subject subject;
	bool is_exact;  /* behind an equals sign: no glob */
	bool is_points; /* else percent */
	double limit;
};

bool diff_gate_parse(const char *text, struct diff_gate *ret, struct error *err) WARN_UNUSED;

/* Whether all of them can be understood. */
bool diff_gates_check(const struct settings *settings, struct error *err) WARN_UNUSED;

/* The worst of what judge_one says of each gate about the comparison. */
typedef enum exit_code diff_gate_judge(const struct settings *settings, const void *comparison,
				       const struct diff_gate *gate);
enum exit_code diff_gates_worst(const struct settings *settings, diff_gate_judge *judge_one,
				const void *comparison);

/*
 * Says on standard error which are exceeded, or ask for a function that there is not. EXIT_REGRESSED when any is
 * exceeded, or, when that was asked for, uncertain; else EXIT_WRONG_USAGE when one has nothing to compare and
 * may not; else EXIT_DONE.
 */
enum exit_code diff_gates_judge(const struct settings *settings, const struct diff *diff);

#endif
