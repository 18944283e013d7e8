/* SPDX-License-Identifier: MIT */
/*
 * Completes command lines for shells. completions/ contains a script for each shell, which calls
 * kiln and shows the lines that kiln prints:
 *
 *     $ kiln complete -- flame --form            --format<TAB>select the output format
 *     $ kiln complete -- flame --format s        svg
 *     $ kiln complete -- flame perf.data -e c    cycles, from the capture
 *     $ kiln complete -- flame pe                nothing: the shell completes file names
 *
 * The last word is the one to complete. Errors are not printed.
 */
#ifndef TOOLS_ABOUT_COMPLETION_H
#define TOOLS_ABOUT_COMPLETION_H

#include "cli/command.h"

#define COMPLETION_ARGUMENTS 5

/*
 * Prints the words that can replace the last word, and returns NULL. If these words are names in a
 * capture, returns the command that prints them instead, and sets its arguments, which are borrowed
 * from `words`.
 */
const struct command *completion_print(char **words, const char *arguments[COMPLETION_ARGUMENTS]);

#endif
