/* SPDX-License-Identifier: MIT */
/*
 * Other tools that kiln stands in for: called by one of their names, through a link that
 * `make install-compat` makes, it takes that tool's options and writes what that tool would.
 *
 *     stackcollapse-perf.pl ─▶ kiln      the last part of argv[0] is looked up in a table
 */
#ifndef COMPAT_DROPIN_H
#define COMPAT_DROPIN_H

#include "compat/collapse.h"
#include "compat/input_lines.h"
#include "cli/command.h"

struct dropin {
	const char *name; /* of the tool */
	/* Does what the tool does; the exit code is the tool's. */
	int (*run)(int argc, char **argv);
};

extern const struct dropin dropin_stackcollapse_bpftrace;
extern const struct dropin dropin_stackcollapse_perf;
extern const struct dropin dropin_stackcollapse_perf_sched;
extern const struct dropin dropin_flamegraph;
extern const struct dropin dropin_inferno_flamegraph;
extern const struct dropin dropin_difffolded;
extern const struct dropin dropin_inferno_diff_folded;
extern const struct dropin dropin_inferno_collapse_perf;

/* How `perf script` text is collapsed. */
struct dropin_collapsing {
	enum collapse_tool tool;
	struct collapse_options options;
	unsigned thread_count; /* 0: as many as there are processors */
	bool is_quiet;
};

/* Collapses an input, or standard input, to standard output. failed_code: of what cannot be done. */
int dropin_collapse(const text_list *inputs, const struct dropin_collapsing *collapsing,
		    int failed_code);

/* Draws folded stacks as flamegraph.pl does, by the settings of that tool, to standard output. */
struct flame_lines_options;
int dropin_draw(struct settings *settings, const struct flame_lines_options *options,
		int failed_code);

/* The background that was asked for, or the one that goes with the palette. */
const char *dropin_background(const struct settings *settings);

/* Says on standard error how many lines were left out. */
void dropin_tell_skipped(const struct input_lines *lines);

/* Says on standard error that nothing was written, when that is so. */
void dropin_tell_empty(const struct sink *sink);

/* The drop-in of that name, which may have a path before it; NULL: there is none. */
const struct dropin *dropin_find(const char *program);

#endif
