/* SPDX-License-Identifier: MIT */
/*
 * What --fail-if asks for: that something did not grow by more than so much.
 *
 *     total>5%                the whole: its time, or how often it happened
 *     parse_header>2.5%       a function with what it calls, over all paths
 */
#ifndef TOOLS_DIFF_GATE_H
#define TOOLS_DIFF_GATE_H

#include "profile/diff.h"
#include "tools/command.h"
#include "tools/settings.h"

struct diff_gate {
	struct text asked; /* as it was written */
	struct text name;  /* of a function or counter; of all for is_overall */
	bool is_overall;
	double percent;
};

bool diff_gate_parse(const char *text, struct diff_gate *ret, struct error *err) WARN_UNUSED;

/* Whether all of them can be understood. */
bool diff_gates_check(const struct settings *settings, struct error *err) WARN_UNUSED;

/*
 * Says on standard error which are exceeded, or ask for a function that there is not. EXIT_REGRESSED when any is
 * exceeded, else EXIT_WRONG_USAGE when one has nothing to compare and may not, else EXIT_DONE.
 */
enum exit_code diff_gates_judge(const struct settings *settings, const struct diff *diff);

#endif
