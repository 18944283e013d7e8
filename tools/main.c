/* SPDX-License-Identifier: MIT */
/*
 * kiln: finds the command, confines the process, and runs it. Each command is in tools/cmd_NAME.c.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/near_name.h"
#include "base/standard_streams.h"
#include "base/unfinished_file.h"
#include "cli/command.h"
#include "cli/file_rights.h"
#include "cli/mark_settings.h"
#include "cli/notices.h"
#include "cli/other_tools.h"
#include "compat/dropin.h"
#include "session/confinement.h"
#include "tools/about/commands.h"
#include "tools/about/completion.h"
#include "tools/about/help.h"

void memory_exhausted(size_t size_bytes)
{
	unfinished_files_remove();
	fprintf(stderr,
		"kiln: out of memory (cannot allocate %zu bytes); if this machine has more memory, "
		"allow more with --memory, which drop-ins do not accept\n",
		size_bytes);
	_exit(EXIT_IMPOSSIBLE);
}

static void print_version(void)
{
	printf("kiln %s\n", VERSION);
}

static enum exit_code print_command_help(const struct command *command, const char *which)
{
	struct error err;

	return command_print_help(command, which, stdout, &err) ? EXIT_DONE : command_fail(&err);
}

/* Returns the first command that has this option. */
static const char *find_owner(struct text name)
{
	for (const struct command *const *at = commands; *at; at++)
		if (options_find((*at)->groups, name))
			return (*at)->name;
	return NULL;
}

#define LOCK_REFUSED \
	"the kernel refused part of the sandbox (%.*s); do not read files that you do not trust"

/* settings: NULL for a drop-in. */
static void warn_of_failed_steps(const struct confinement *confinement,
				 const struct settings *settings)
{
	struct sink names;
	struct text text;

	if (!confinement->failed_steps)
		return;
	sink_init_memory(&names);
	confinement_write_failed(confinement, &names);
	text = sink_memory(&names);
	if (settings)
		command_warn(settings, LOCK_REFUSED, (int)text.length, text.at);
	else
		fprintf(stderr, "kiln: " LOCK_REFUSED "\n", (int)text.length, text.at);
	sink_deinit(&names);
}

static void limit_memory(uint64_t size_bytes)
{
	memory_limit(size_bytes ? size_bytes : memory_default_limit());
}

/* Sets limits before files are read, because files may be hostile or large. */
static enum exit_code run_limited(const struct command *command, struct settings *settings)
{
	struct error err;

	/* The sandbox's workers have their own limits. */
	limit_memory(settings->memory_bytes);
	return mark_settings_read(settings, &err) ? command->run(settings) : command_fail(&err);
}

static enum exit_code run_confined(const struct command *command, struct settings *settings)
{
	struct confinement_plan plan;
	struct confinement confinement;
	enum exit_code code;

	if (settings->has_no_sandbox)
		return run_limited(command, settings);
	file_rights_of_command(settings, &plan);
	confinement_begin(&confinement, &plan);
	confinement_plan_deinit(&plan);
	settings->confinement = &confinement;
	warn_of_failed_steps(&confinement, settings);
	code = run_limited(command, settings);
	confinement_end(&confinement);
	return code;
}

/* arguments: the arguments after the command's name, NULL-terminated. */
static enum exit_code run_command(const struct command *command, char **argv, char **arguments,
				  bool names_next_commands)
{
	int count = 0;
	struct notices notices = { 0 };
	struct settings settings;
	struct error err;
	enum exit_code code = EXIT_DONE;

	settings_init(&settings);
	settings.notices = &notices;
	settings.command_line = argv;
	settings.names_next_commands = names_next_commands;
	while (arguments[count])
		count++;
	if (!options_parse(command->groups, find_owner, count, arguments, &settings,
			   &settings.inputs, &err))
		code = command_fail(&err);
	else if (settings.help)
		code = print_command_help(command, settings.help);
	else if (settings.wants_version)
		print_version();
	else if (!settings_finish(&settings, &err))
		code = command_fail(&err);
	else
		code = run_confined(command, &settings);
	command_print_notices(&settings);
	notices_free(&notices);
	settings_deinit(&settings);
	return code;
}

static const struct command *nearest_command(const char *name)
{
	struct near_name near = near_name_of(text_of(name));

	for (const struct command *const *at = commands; *at; at++)
		near_name_offer(&near, text_of((*at)->name));
	return near.found.at ? commands_find(near.found.at) : NULL;
}

/* The first argument is neither a command nor a file. */
static enum exit_code refuse_first(const char *first)
{
	const char *answer = foreign_command_answer(first);
	const struct command *nearest = nearest_command(first);
	struct error err;

	if (!*first || (*first == '-' && first[1])) {
		error_set(&err, ERROR_USAGE, "options must follow a command: kiln COMMAND %s",
			  first);
		if (*first)
			(void)!command_fail(&err);
		help_print(stderr);
		return EXIT_WRONG_USAGE;
	}
	if (answer)
		error_set(&err, ERROR_USAGE, "%s is %s", first, answer);
	else if (nearest)
		error_set(&err, ERROR_USAGE,
			  "\"%s\" is neither a command nor a file; did you mean kiln %s?", first,
			  nearest->name);
	else
		error_set(&err, ERROR_USAGE,
			  "\"%s\" is neither a command nor a file; kiln --help lists the commands",
			  first);
	return command_fail(&err);
}

/* kiln without arguments: describes the capture that perf record wrote here, if there is one. */
static enum exit_code run_nothing(char **argv)
{
	char input[] = "perf.data";

	if (access(input, F_OK) == 0)
		return run_command(&command_info, argv, (char *[]){ input, NULL }, true);
	help_print_short(stderr);
	return EXIT_WRONG_USAGE;
}

/* kiln complete: see tools/about/completion.h. */
static enum exit_code run_completion(char **argv)
{
	const char *arguments[COMPLETION_ARGUMENTS];
	const struct command *command = completion_print(argv + 2, arguments);

	return command ? run_command(command, argv, (char **)arguments, false) : EXIT_DONE;
}

static bool is_one_of(const char *argument, const char *one, const char *other)
{
	return strcmp(argument, one) == 0 || strcmp(argument, other) == 0;
}

static enum exit_code run(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "";
	const struct command *command = commands_find(first);

	if (argc < 2)
		return run_nothing(argv);
	if (command)
		return run_command(command, argv, argv + 2, false);
	if (strcmp(first, "complete") == 0)
		return run_completion(argv);
	if (strcmp(first, "help") == 0 && argc > 2)
		return help_print_topic(argv[2]);
	if (is_one_of(first, "--help", "-h") || strcmp(first, "help") == 0) {
		help_print(stdout);
		return EXIT_DONE;
	}
	if (is_one_of(first, "--version", "-V")) {
		if (argc > 2 && is_one_of(argv[2], "--verbose", "-v"))
			return run_command(&command_info, argv, (char *[]){ "--build", NULL },
					   false);
		print_version();
		return EXIT_DONE;
	}
	/* kiln INPUT describes the input and suggests commands. */
	if (*first && *first != '-' && access(first, F_OK) == 0)
		return run_command(&command_info, argv, argv + 1, true);
	return refuse_first(first);
}

/* No drop-in uses the network or reads debug information. */
static int run_dropin(const struct dropin *dropin, int argc, char **argv)
{
	struct confinement_plan plan;
	struct confinement confinement;
	int code;

	file_rights_of_dropin(argv, &plan);
	confinement_begin(&confinement, &plan);
	confinement_plan_deinit(&plan);
	warn_of_failed_steps(&confinement, NULL);
	limit_memory(0);
	code = dropin->run(argc, argv);
	confinement_end(&confinement);
	return code;
}

/*
 * The number of open files that kiln needs even on a small machine: streams, input, output, sockets
 * to the readers of debug information, and a few symbol files for each thread. With fewer
 * descriptors, symbol files would seem to be missing.
 */
#define DESCRIPTORS_MIN 32

/* Raises the soft limit on open files, which is low only because of programs that use select(). */
static bool raise_descriptor_limit(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return true;
	if (limit.rlim_max < DESCRIPTORS_MIN)
		return error_set(err, ERROR_LIMIT,
				 "the limit on open files is %u; allow at least %d with ulimit -n",
				 (unsigned)limit.rlim_max, DESCRIPTORS_MIN);
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	return true;
}

/*
 * Flushes standard output, because help, versions and the cache listing are printed with printf().
 */
static bool flush_stdout(struct error *err)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	if (standard_streams_check(STDOUT_FILENO, err))
		error_set_errno(err, "cannot write");
	return error_prefix(err, "standard output");
}

int main(int argc, char **argv)
{
	const struct dropin *dropin = dropin_find(argv[0]);
	struct error err;
	int code;

	if (!standard_streams_reserve())
		return EXIT_IMPOSSIBLE;
	/*
	 * A program that ignores SIGPIPE passes this setting on to the programs that it starts.
	 * With the default action, kiln ends quietly in a pipeline.
	 */
	signal(SIGPIPE, SIG_DFL);
	if (!raise_descriptor_limit(&err))
		return command_fail(&err);
	code = dropin ? run_dropin(dropin, argc, argv) : (int)run(argc, argv);
	if (!flush_stdout(&err) && code == EXIT_DONE)
		return command_fail(&err);
	return code;
}
