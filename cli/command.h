/* SPDX-License-Identifier: MIT */
/*
 * A command of kiln: a row of the table in tools/about/commands.c, with its code in
 * tools/cmd_NAME.c. The run function of a command contains the steps in order; cli/inputs.h has the
 * steps that commands share.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/settings.h"

/* Exit codes of every command. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_IMPOSSIBLE = 1, /* an error */
	EXIT_WRONG_USAGE = 2,
	EXIT_PARTIAL = 3,   /* the output is partial; standard error explains why */
	EXIT_REGRESSED = 4, /* a --fail-if threshold was exceeded */
};

#define COMMAND_EXAMPLE_COUNT 2

/* The kind of question that a command answers; kiln --help groups commands by topic. */
enum command_topic {
	TOPIC_DRAW,
	TOPIC_TABULATE,
	TOPIC_COMPARE,
	TOPIC_CONVERT,
	TOPIC_EXPLAIN,
	TOPIC_COUNT,
};

struct command {
	const char *name;
	enum command_topic topic;
	const char *summary;     /* one line, for kiln --help */
	const char *description; /* a paragraph, for kiln NAME --help */
	const char *arguments; /* follows the name in the usage; NULL means [options] [INPUT...] */
	const char *examples[COMMAND_EXAMPLE_COUNT];
	const char *const *common; /* options that --help lists, in this order; NULL-terminated */
	const struct option_group *const *groups;
	enum exit_code (*run)(struct settings *settings);
};

extern const struct command command_flame;
extern const struct command command_fold;
extern const struct command command_script;
extern const struct command command_info;
extern const struct command command_doctor;
extern const struct command command_annotate;
extern const struct command command_report;
extern const struct command command_offcpu;
extern const struct command command_page;
extern const struct command command_sched;
extern const struct command command_syscalls;
extern const struct command command_events;
extern const struct command command_export;
extern const struct command command_merge;
extern const struct command command_spikes;
extern const struct command command_cache;
extern const struct command command_bundle;
extern const struct command command_diff;
extern const struct command command_heatmap;
extern const struct command command_timeline;

/* Prints the help. which: "" for --help, "all" for --help=all. Any other value is an error. */
bool command_print_help(const struct command *command, const char *which, FILE *to,
			struct error *err) WARN_UNUSED;

/* Prints "kiln: MESSAGE" on standard error unless --quiet, with control characters escaped. */
void command_warn(const struct settings *settings, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Queues a message. The most important messages are printed at the end of the command:
 * cli/notices.h.
 */
void command_notice(const struct settings *settings, double weight, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* Prints the queued messages. */
void command_print_notices(const struct settings *settings);

/* Prints the error and returns its exit code. */
enum exit_code command_fail(const struct error *err);

#endif
