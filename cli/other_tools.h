/* SPDX-License-Identifier: MIT */
/*
 * Options and commands of perf, FlameGraph's scripts and inferno that kiln does not have. Each is
 * an error that explains how to do the same with kiln:
 *
 *     $ kiln report --hierarchy
 *     kiln: --hierarchy is an option of perf report; use --by comm,dso,symbol, or kiln flame ...
 *
 * A command lists these groups after its own, so that kiln's own options take precedence.
 */
#ifndef CLI_OTHER_TOOLS_H
#define CLI_OTHER_TOOLS_H

#include "cli/options.h"

extern const struct option_group foreign_report;   /* perf report */
extern const struct option_group foreign_script;   /* perf script */
extern const struct option_group foreign_annotate; /* perf annotate */
extern const struct option_group foreign_diff;     /* perf diff */
extern const struct option_group foreign_fold; /* stackcollapse-perf.pl and inferno-collapse-perf */

/*
 * Returns a message such as "a command of perf; use kiln ..." for a command of another program, or
 * NULL.
 */
const char *foreign_command_answer(const char *name);

#endif
