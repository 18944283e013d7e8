/* SPDX-License-Identifier: MIT */
/*
 * A folder of past runs, for a comparison with all of them: kiln diff --baseline DIR.
 *
 *     20260901-1.data      older: not read when there are more than BASELINE_RUNS_MAX
 *     20260902-1.data   ┐
 *     20260903-1.data   ┴─ runs of the side before, in the order of their names
 *     README.md            not a capture: skipped, and counted
 *     latest -> ...        links, folders, pipes and devices are skipped as well
 */
#ifndef TOOLS_BASELINE_H
#define TOOLS_BASELINE_H

#include "cli/settings.h"

/* Spread is known well from so many runs; each one more is a column of weights in memory. */
#define BASELINE_RUNS_MAX 50

struct baseline {
	const char *folder; /* NULL: there is none */
	VEC(char *) paths;  /* of its regular files, sorted by name: the last BASELINE_RUNS_MAX */
	size_t older_count; /* of those before them */
	size_t skipped_count;
	char *first_skipped; /* the first of their paths, and why */
	struct error reason;
};

/* Lists the folder. Files among others are compared with it, and so are not part of it. */
bool baseline_open(struct baseline *baseline, const char *folder, const text_list *others,
		   struct error *err) WARN_UNUSED;
void baseline_close(struct baseline *baseline);

/* Notes that a file of the folder is no run, because of an error that names it. */
void baseline_skip(struct baseline *baseline, const char *path, const struct error *reason);

/* After reading: warns of what was skipped. False when nothing was left. */
bool baseline_report(const struct baseline *baseline, const struct settings *settings,
		     size_t run_count, struct error *err) WARN_UNUSED;

#endif
