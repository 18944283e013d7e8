/* SPDX-License-Identifier: MIT */
/*
 * A subcommand: a row of the table in main.c, with its code in cmd_NAME.c.
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include "tools/settings.h"

/* Exit codes of every command. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_IMPOSSIBLE = 1, /* could not do it */
	EXIT_WRONG_USAGE = 2,
	EXIT_PARTIAL = 3, /* done, but something is missing; stderr says what */
};

struct command {
	const char *name;
	const char *summary;     /* one line, for kiln --help */
	const char *description; /* a paragraph, for kiln NAME --help */
	const struct option_group *const *groups;
	enum exit_code (*run)(const struct settings *settings);
};

extern const struct command command_flame;
extern const struct command command_fold;
extern const struct command command_script;
extern const struct command command_info;
extern const struct command command_report;

/* Prints "kiln: MESSAGE" on standard error, with control characters made visible. */
void command_warn(const struct settings *settings, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints the error and gives its exit code. */
enum exit_code command_fail(const struct error *err);

/* What a command does with a finished session and an open output. */
typedef bool command_write(const struct settings *settings, struct session *session,
			   struct sink *sink, struct error *err);

/*
 * The course most commands take: open the input, read it with prepare (NULL: session_build_profile),
 * write it, commit the output, announce it (NULL: do not), warn of what is missing.
 */
enum exit_code command_run(const struct settings *settings,
			   bool (*prepare)(struct session *session, struct error *err),
			   command_write *write, void (*announce)(const struct session *session));

#endif
