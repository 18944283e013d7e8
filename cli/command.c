/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/notices.h"
#include "render/escape.h"

static void print_usage(const struct command *command, FILE *to)
{
	fprintf(to, "usage: kiln %s %s\n\n", command->name,
		command->arguments ? command->arguments : "[options] [INPUT...]");
	options_print_paragraph(command->description, to);
	fputs("\nExamples:\n", to);
	for (size_t i = 0; i < COMMAND_EXAMPLE_COUNT; i++)
		fprintf(to, "  %s\n", command->examples[i]);
}

bool command_print_help(const struct command *command, const char *which, FILE *to,
			struct error *err)
{
	bool is_full = strcmp(which, "all") == 0;

	if (*which && !is_full)
		return error_set(err, ERROR_USAGE,
				 "--help=%s: unknown value; use --help or --help=all", which);
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

/* Messages contain names from captures, which must not control the terminal. */
static void print_message(const char *text)
{
	struct sink sink;
	struct error ignored;

	sink_init_fd(&sink, STDERR_FILENO);
	sink_puts(&sink, "kiln: ");
	escape_terminal(&sink, text_of(text));
	sink_char(&sink, '\n');
	(void)!sink_flush(&sink, &ignored);
	sink_deinit(&sink);
}

#define MESSAGE_BYTES 2048

void command_warn(const struct settings *settings, const char *format, ...)
{
	char text[MESSAGE_BYTES];
	va_list args;

	if (settings->is_quiet)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_message(text);
}

void command_notice(const struct settings *settings, double weight, const char *format, ...)
{
	char text[MESSAGE_BYTES];
	va_list args;

	if (settings->is_quiet)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Drop-ins do not queue messages. */
	if (settings->notices)
		notices_add(settings->notices, weight, text);
	else
		print_message(text);
}

void command_print_notices(const struct settings *settings)
{
	notices_print(settings->notices, settings->is_verbose, print_message);
}

enum exit_code command_fail(const struct error *err)
{
	char text[1024];

	print_message(error_text(err, text, sizeof(text)));
	return err->code == ERROR_USAGE ? EXIT_WRONG_USAGE : EXIT_IMPOSSIBLE;
}
