/* SPDX-License-Identifier: MIT */
/*
 * kiln COMMAND --help: what the command does, two examples and its common options, on one screen.
 * kiln COMMAND --help=all: every option.
 */
#ifndef TOOLS_HELP_H
#define TOOLS_HELP_H

#include "tools/command.h"

/* which: what follows --help=, "" or "all"; anything else is an error. */
bool help_print(const struct command *command, const char *which, FILE *to,
		struct error *err) WARN_UNUSED;

#endif
