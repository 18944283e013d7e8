/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <string.h>

static void print_usage(const struct command *command, FILE *to)
{
	fprintf(to, "usage: kiln %s %s\n\n", command->name,
		command->arguments ? command->arguments : "[options] [INPUT...]");
	options_print_paragraph(command->description, to);
	fputs("\nExamples:\n", to);
	for (size_t i = 0; i < COMMAND_EXAMPLE_COUNT; i++)
		fprintf(to, "  %s\n", command->examples[i]);
}

bool help_print(const struct command *command, const char *which, FILE *to, struct error *err)
{
	bool is_full = strcmp(which, "all") == 0;

	if (*which && !is_full)
		return error_set(err, ERROR_USAGE,
				 "--help is followed by nothing, or by =all; not by \"%s\"", which);
	print_usage(command, to);
	if (is_full) {
		options_print(command->groups, to);
		return true;
	}
	fputs("\nOptions:\n", to);
	options_print_named(command->groups, command->common, to);
	fprintf(to, "\nkiln %s --help=all lists every option; man kiln-%s explains them.\n",
		command->name, command->name);
	return true;
}
