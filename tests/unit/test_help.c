/* SPDX-License-Identifier: MIT */
#include "tools/about/help.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "tools/about/commands.h"

#define SCREEN_LINES   45
#define SCREEN_COLUMNS 80

/* The caller frees it. */
static char *help_of(const struct command *command, const char *which)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	struct error err;

	cr_assert(command_print_help(command, which, to, &err), "%s: %s", command->name, err.text);
	fclose(to);
	return text;
}

/* Whether a line of the help begins with this option. */
static bool lists(const char *help, const char *name)
{
	for (const char *at = strchr(help, '\n'); at; at = strchr(at + 1, '\n')) {
		const char *option = at + 1 + strspn(at + 1, " ");
		size_t length = strlen(name);

		if (option[0] == '-' && option[1] != '-' && option[2] == ',')
			option += 4;
		if (strncmp(option, "--", 2) == 0 && strncmp(option + 2, name, length) == 0 &&
		    strchr(" \n[", option[2 + length]))
			return true;
	}
	return false;
}

Test(help, fits_a_screen)
{
	for (size_t i = 0; commands[i]; i++) {
		char *help = help_of(commands[i], "");
		size_t line_count = 0;

		for (const char *line = help; *line; line_count++) {
			size_t length = strcspn(line, "\n");

			cr_expect_leq(length, SCREEN_COLUMNS, "%s: %.*s", commands[i]->name,
				      (int)length, line);
			line += length + 1;
		}
		cr_expect_leq(line_count, SCREEN_LINES, "%s: %zu lines", commands[i]->name,
			      line_count);
		free(help);
	}
}

Test(help, common_options_are_options)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *command = commands[i];
		char *help = help_of(command, "");

		for (const char *const *name = command->common; *name; name++) {
			cr_expect_not_null(options_find(command->groups, text_of(*name)),
					   "%s has no --%s", command->name, *name);
			cr_expect(lists(help, *name), "%s: --%s", command->name, *name);
			for (const char *const *other = command->common; other < name; other++)
				cr_expect_str_neq(*other, *name, "%s", command->name);
		}
		for (size_t j = 0; j < ARRAY_SIZE(command->examples); j++)
			cr_expect_not_null(strstr(help, command->examples[j]), "%s", command->name);
		free(help);
	}
}

Test(help, all_lists_every_option)
{
	for (size_t i = 0; commands[i]; i++) {
		char *help = help_of(commands[i], "all");

		for (const struct option_group *const *group = commands[i]->groups; *group; group++)
			for (const struct option *row = (*group)->options; row->name; row++)
				cr_expect(!row->help || lists(help, row->name), "%s: --%s",
					  commands[i]->name, row->name);
		free(help);
	}
}

/* These commands read no stacks. They refuse the options with a reason, so they still know them. */
Test(help, options_that_are_always_refused_are_not_listed)
{
	static const struct command *const refusing[] = { &command_heatmap, &command_sched,
							  &command_syscalls, &command_timeline };
	static const char *const names[] = { "dso", "symbol", "user-only", "kernel-only" };

	for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
		for (size_t i = 0; i < ARRAY_SIZE(refusing); i++)
			cr_expect_null(options_find(refusing[i]->groups, text_of(names[j])),
				       "%s lists --%s", refusing[i]->name, names[j]);
		cr_expect_not_null(options_find(command_spikes.groups, text_of(names[j])));
	}
}

/* Characters of several bytes before the column must not move it. */
Test(help, texts_begin_in_one_column)
{
	char *help = help_of(&command_flame, "all");

	cr_expect_not_null(strstr(help, "      --around FILE:±TIME   keep only samples"));
	cr_expect_not_null(strstr(help, "      --time START,STOP     keep only samples"));
	free(help);
}

/* Options only in the man page and --help=all are not on the short screen. */
Test(help, details_are_for_all)
{
	char *brief = help_of(&command_flame, "");
	char *full = help_of(&command_flame, "all");

	cr_expect_null(strstr(brief, "container=DIR"));
	cr_expect_not_null(strstr(full, "container=DIR"));
	free(brief);
	free(full);
}

Test(help, other_words_are_refused)
{
	struct error err;

	cr_expect_not(command_print_help(&command_flame, "al", stdout, &err));
	cr_expect_eq(err.code, ERROR_USAGE);
	cr_expect_not_null(strstr(err.text, "=all"), "%s", err.text);
}
