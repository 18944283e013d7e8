/* SPDX-License-Identifier: MIT */
/*
 * Prints the documentation of kiln: the list of commands, and guides.
 *
 *     kiln                  the commands, if there is no ./perf.data
 *     kiln --help           the commands and the input formats
 *     kiln help flame       the same as kiln flame --help
 *     kiln help noise       a guide: docs/noise.md, which the build puts into the binary
 */
#ifndef TOOLS_ABOUT_HELP_H
#define TOOLS_ABOUT_HELP_H

#include "cli/command.h"

/* Prints the commands, and explains how to start. */
void help_print_short(FILE *to);

/* Prints the commands, the guides and the input formats. */
void help_print(FILE *to);

/*
 * Prints the help of a command, or a guide. For an unknown topic, the error suggests a similar one.
 */
enum exit_code help_print_topic(const char *topic);

/* The name of the guide at this position; NULL after the last guide. */
const char *help_topic(size_t i);

#endif
