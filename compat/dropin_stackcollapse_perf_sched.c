/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "compat/collapse_sched.h"
#include "compat/dropin.h"

/* What awk ends with when it was called wrongly. */
#define EXIT_FATAL 2

/* As awk does: a number is true unless it is 0, other words are unless they are empty. */
static bool is_true(const char *value)
{
	char *end;
	double number = strtod(value, &end);

	return *end || end == value ? *value != '\0' : number != 0;
}

/* "recurse=1"; false: it is no assignment. Those of other variables are of no use. */
static bool assign(const char *argument, struct collapse_sched_variables *variables)
{
	const char *equals = strchr(argument, '=');
	struct text name = { argument, equals ? (uint32_t)(equals - argument) : 0 };

	if (!name.length || (*argument >= '0' && *argument <= '9'))
		return false;
	for (uint32_t i = 0; i < name.length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    name.at[i]))
			return false;
	if (text_is(name, "record_tid"))
		variables->with_tid = is_true(equals + 1);
	else if (text_is(name, "record_wake_stack"))
		variables->with_waker = is_true(equals + 1);
	else if (text_is(name, "recurse"))
		variables->with_chain = is_true(equals + 1);
	return true;
}

/* Takes the -v in front; the number of arguments that are no operands, or 0: they are wrong. */
static int take_options(int argc, char **argv, struct collapse_sched_variables *variables)
{
	int at = 1;

	while (at < argc && argv[at][0] == '-' && argv[at][1]) {
		const char *value = argv[at] + 2;

		if (strcmp(argv[at], "--") == 0)
			return at + 1;
		if (argv[at][1] != 'v' || (!*value && at + 1 == argc))
			return 0;
		if (!*value)
			value = argv[++at];
		if (!assign(value, variables))
			return 0;
		at++;
	}
	return at;
}

/* Operands are files, and assignments for those behind them. */
static bool read_operands(struct collapse_sched *collapse, int argc, char **argv, struct error *err)
{
	bool has_files = false;

	for (int i = 0; i < argc; i++) {
		if (assign(argv[i], &collapse->variables))
			continue;
		has_files = true;
		if (!collapse_sched_read(collapse, argv[i], err))
			return false;
	}
	return has_files || collapse_sched_read(collapse, "-", err);
}

static bool collapse_all(struct collapse_sched *collapse, int argc, char **argv, struct error *err)
{
	struct sink sink;
	bool good;

	if (!read_operands(collapse, argc, argv, err))
		return false;
	sink_init_fd(&sink, STDOUT_FILENO);
	collapse_sched_write(collapse, &sink);
	good = sink_flush(&sink, err);
	if (good)
		dropin_tell_empty(&sink);
	sink_deinit(&sink);
	if (collapse->cut_count)
		fprintf(stderr, "kiln: chains of wakers that are too long, cut: %llu\n",
			(unsigned long long)collapse->cut_count);
	return good;
}

static int run(int argc, char **argv)
{
	struct collapse_sched collapse;
	struct error err;
	bool good = false;
	int first;

	collapse_sched_init(&collapse);
	first = take_options(argc, argv, &collapse.variables);
	if (first)
		good = collapse_all(&collapse, argc - first, argv + first, &err);
	else
		fprintf(stderr,
			"usage: %s [-v record_tid=1] [-v record_wake_stack=1] [-v recurse=1] "
			"[file...] > folded\n",
			argv[0]);
	if (first && !good)
		command_fail(&err);
	dropin_tell_skipped(&collapse.lines);
	collapse_sched_deinit(&collapse);
	return good ? EXIT_DONE : EXIT_FATAL;
}

const struct dropin dropin_stackcollapse_perf_sched = { "stackcollapse-perf-sched.awk", run };
