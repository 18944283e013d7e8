/* SPDX-License-Identifier: MIT */
/*
 * For tables of values (kiln sched, kiln syscalls, kiln events): compares the distributions of two
 * captures, and checks --fail-if limits (cli/gate.h):
 *
 *     p99(futex)>10%     certainly grew by more than 10% since the capture of --compare
 *     p99(futex)>5ms     is longer than 5 ms; needs no other capture
 *     errors(open*)>0    another column of the table (cli/table_gates.h)
 *
 * Only quantiles can have limits on changes.
 */
#ifndef CLI_VALUE_GATES_H
#define CLI_VALUE_GATES_H

#include "cli/inputs.h"
#include "histogram/histogram_set.h"
#include "render/table/table.h"

/* --compare, --fail-if and --fail-on-uncertain. */
extern const struct option_group value_gates_options;

/* Checks the syntax of all limits. has_text: whether the output is text or JSON. */
bool value_gates_parse(const struct settings *settings, bool has_text,
		       struct error *err) WARN_UNUSED;

/*
 * Like value_gates_parse, for commands that have distributions, but no table: all limits are on
 * percentiles.
 */
bool value_gates_parse_quantiles(const struct settings *settings, struct error *err) WARN_UNUSED;

/* Checks all limits on percentiles. before: can be NULL if no limit is on a change. */
enum exit_code value_gates_check(const struct settings *settings,
				 const struct histogram_set *before,
				 const struct histogram_set *after);

/*
 * The functions of a command: they read a capture, make a set of distributions, which must remain
 * valid after the capture is closed, and make a table with all rows, their names and their sum.
 */
struct value_gates_reader {
	session_reader *read;
	void (*make)(const struct session *session, struct histogram_set *ret);
	void (*make_table)(const struct session *session, struct table *ret);
};

/*
 * After a capture was read: writes the comparison with the capture of --compare, if one is given,
 * and checks all limits. Errors are added to inputs.
 */
enum exit_code value_gates_run(struct inputs *inputs, const struct value_gates_reader *reader,
			       bool is_json, struct sink *sink);

#endif
