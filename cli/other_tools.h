/* SPDX-License-Identifier: MIT */
/*
 * What perf, FlameGraph's scripts and inferno have and kiln has not, each with kiln's way to the same:
 * who types an option of theirs by habit learns what to type instead.
 *
 *     $ kiln report --hierarchy
 *     kiln: --hierarchy is an option of perf report; here kiln report --by comm,dso,symbol ...
 *
 * These groups stand behind all others of a command; a name that kiln has too is kiln's.
 */
#ifndef CLI_OTHER_TOOLS_H
#define CLI_OTHER_TOOLS_H

#include "cli/options.h"

extern const struct option_group foreign_report; /* perf report's */
extern const struct option_group foreign_script; /* perf script's */
extern const struct option_group foreign_diff;   /* perf diff's */
extern const struct option_group foreign_fold;   /* stackcollapse-*.pl's and inferno-collapse-*'s */
extern const struct option_group foreign_flame;  /* flamegraph.pl's and inferno-flamegraph's */

/* What another program's command of this name is, and how kiln says it; NULL: none is known. */
const char *foreign_command_answer(const char *name);

#endif
