/* SPDX-License-Identifier: MIT */
/*
 * Lists the directory of kiln diff --baseline, whose files are past runs and form the BEFORE side.
 *
 *     20260901-1.data      older: not read if there are more than BASELINE_RUNS_MAX
 *     20260902-1.data   ┐
 *     20260903-1.data   ┴─ runs, in the order of their names
 *     README.md            not a capture: skipped, and counted
 *     latest -> ...        links, directories, pipes and devices are skipped, too
 */
#ifndef TOOLS_DIFF_BASELINE_H
#define TOOLS_DIFF_BASELINE_H

#include "cli/settings.h"

/*
 * Maximum number of runs, enough to estimate the spread between runs. Each run needs a column of
 * weights in memory.
 */
#define BASELINE_RUNS_MAX 50

struct baseline {
	const char *directory; /* NULL if none */
	VEC(char *) paths;     /* the last BASELINE_RUNS_MAX regular files, sorted by name */
	size_t older_count;    /* older files */
	size_t skipped_count;
	char *first_skipped; /* the first skipped path in name order, and why it was skipped */
	struct error reason;
};

/* Lists the directory, except for files that are also in `others`, the inputs of the AFTER side. */
bool baseline_init(struct baseline *baseline, const char *directory, const text_list *others,
		   struct error *err) WARN_UNUSED;
void baseline_deinit(struct baseline *baseline);

/* Records that a file is not a run. The reason contains the file's name. */
void baseline_skip(struct baseline *baseline, const char *path, const struct error *reason);

/* Warns about skipped files. False if no run is left. */
bool baseline_report(const struct baseline *baseline, const struct settings *settings,
		     size_t run_count, struct error *err) WARN_UNUSED;

#endif
