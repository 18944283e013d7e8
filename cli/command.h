/* SPDX-License-Identifier: MIT */
/*
 * A subcommand: a row of the table in main.c, with its code in cmd_NAME.c.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/notices.h"
#include "cli/settings.h"

/* Exit codes of every command. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_IMPOSSIBLE = 1, /* could not do it */
	EXIT_WRONG_USAGE = 2,
	EXIT_PARTIAL = 3,   /* done, but something is missing; stderr says what */
	EXIT_REGRESSED = 4, /* done, and what --fail-if asks for is the case */
};

#define COMMAND_EXAMPLE_COUNT 2

struct command {
	const char *name;
	const char *summary;     /* one line, for kiln --help */
	const char *description; /* a paragraph, for kiln NAME --help */
	const char *arguments;   /* what follows its name; NULL: [options] [INPUT...] */
	const char *examples[COMMAND_EXAMPLE_COUNT];
	const char *const
		*common; /* the options that --help lists, in this order; NULL at the end */
	const struct option_group *const *groups;
	enum exit_code (*run)(const struct settings *settings);
};

extern const struct command command_flame;
extern const struct command command_fold;
extern const struct command command_script;
extern const struct command command_info;
extern const struct command command_report;
extern const struct command command_offcpu;
extern const struct command command_cache;
extern const struct command command_bundle;
extern const struct command command_diff;

/* Prints "kiln: MESSAGE" on standard error, with control characters made visible. */
void command_warn(const struct settings *settings, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same at the command's end, if few others weigh more: cli/notices.h. */
void command_notice(const struct settings *settings, double weight, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* Prints what was noticed, as settings say. */
void command_print_notices(const struct settings *settings);

/* Prints the error and gives its exit code. */
enum exit_code command_fail(const struct error *err);

/* What a command makes of its inputs. NULL: nothing, or for prepare session_build_profile. */
struct course {
	/* Reads a session's samples. */
	bool (*prepare)(struct session *session, struct error *err);
	/* Writes what is of one input alone, while its session is open. */
	bool (*write_each)(const struct settings *settings, struct session *session,
			   struct sink *sink, struct error *err);
	/* Writes the profile that all inputs together are. */
	bool (*write_all)(const struct settings *settings, const struct profile *profile,
			  struct sink *sink, struct error *err);
	/* Says that the output is there. */
	void (*announce)(const struct profile *profile);
	/* Inputs are read once, from their beginnings to their ends: preparing, or else building a profile. */
	bool reads_once;
	/* What is lost and what has no name is what it writes: on standard error only damage is said. */
	bool writes_health;
};

/*
 * The course most commands take: read input after input and warn of what each is missing, write,
 * and put the output in its place only when all went well.
 */
enum exit_code command_run(const struct settings *settings, const struct course *course);

/* For commands of another course: says what of the settings cannot be; builds the profile of an open
 * session; takes it, and returns whether it is partial, when it has warned of what is missing; and
 * writes the command line as a shell would take it, with a NUL behind; where files were is not said
 * without --with-host. */
bool command_check_files(const struct settings *settings, const text_list *inputs,
			 struct error *err) WARN_UNUSED;
bool command_build_profile(const struct settings *settings, struct session *session,
			   struct error *err) WARN_UNUSED;
bool command_take_profile(const struct settings *settings, struct session *session,
			  struct profile *ret) WARN_UNUSED;
void command_write_line(const struct settings *settings, struct sink *sink);

/* A course's write_all and announce for commands that draw: the picture of the settings, and what
 * --summary says of it on standard output. */
bool command_write_svg(const struct settings *settings, const struct profile *profile,
		       struct sink *sink, struct error *err);
void command_print_summary(const struct profile *profile);

#endif
