/* SPDX-License-Identifier: MIT */
/*
 * Compares the distributions of two captures for tables of values (kiln syscalls, kiln events), and
 * checks their --fail-if limits:
 *
 *     p99(futex)>10%     grew by more than 10 % since the capture of --compare, with certainty
 *     p99(futex)>5ms     is longer than 5 ms; needs no other capture
 *     p50>10%            of all values
 *
 * Names are those of rows: the texts of --by, joined by semicolons.
 */
#ifndef CLI_VALUE_GATES_H
#define CLI_VALUE_GATES_H

#include "cli/inputs.h"
#include "histogram/histogram_set.h"

/* --compare, --fail-if and --fail-on-uncertain. */
extern const struct option_group value_gates_options;

/* Checks the syntax of all limits. has_text: the output is text or JSON. */
bool value_gates_parse(const struct settings *settings, bool has_text,
		       struct error *err) WARN_UNUSED;

/* Whether distributions are needed. */
static inline bool value_gates_are_used(const struct settings *settings)
{
	return settings->diff.before.count || settings->diff.limits.count;
}

/*
 * The functions with which a command reads a capture and makes a set of distributions. The set remains
 * valid when the capture is closed.
 */
struct value_gates_reader {
	session_reader *read;
	void (*make)(const struct session *session, struct histogram_set *ret);
};

/*
 * After a capture was read: writes the comparison with the capture of --compare, if one is given,
 * and checks all limits. Errors are added to inputs.
 */
enum exit_code value_gates_run(struct inputs *inputs, const struct value_gates_reader *reader,
			       bool is_json, struct sink *sink);

/* The exit code of a command: the worse of the exit codes of its output and of its limits. */
static inline enum exit_code value_gates_worst(enum exit_code closed, enum exit_code gates)
{
	return closed == EXIT_DONE || (closed == EXIT_PARTIAL && gates == EXIT_REGRESSED) ? gates
											  : closed;
}

#endif
