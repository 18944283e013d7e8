/* SPDX-License-Identifier: MIT */
/*
 * kiln COMMAND --help: what the command does, two examples and its common options, on one screen.
 * kiln COMMAND --help=all: every option.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* which: what follows --help=, "" or "all"; anything else is an error. */
bool help_print(const struct command *command, const char *which, FILE *to,
		struct error *err) WARN_UNUSED;

#endif
