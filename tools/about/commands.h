/* SPDX-License-Identifier: MIT */
/*
 * The table of kiln's commands, in the order in which help lists them.
 *
 *     kiln flame perf.data     commands_find("flame")     command_flame, in tools/cmd_flame.c
 */
#ifndef TOOLS_ABOUT_COMMANDS_H
#define TOOLS_ABOUT_COMMANDS_H

#include "cli/command.h"

/* NULL-terminated. */
extern const struct command *const commands[];

/* The command with exactly this name, or NULL. */
const struct command *commands_find(const char *name);

#endif
