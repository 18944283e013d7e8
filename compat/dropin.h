/* SPDX-License-Identifier: MIT */
/*
 * Drop-ins: when kiln is called by the name of another tool, through a link made by `make
 * install-compat`, it accepts that tool's options and writes that tool's output.
 *
 *     stackcollapse-perf.pl -> kiln     the last part of argv[0] selects the drop-in
 */
#ifndef COMPAT_DROPIN_H
#define COMPAT_DROPIN_H

#include "cli/command.h"

/* The exit code of Perl's die. */
#define EXIT_DIED 255

struct dropin {
	const char *name; /* name of the tool */
	/* Behaves like the tool, and returns the tool's exit code. */
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

/* The drop-in with this name, which can be a path. NULL if there is none. */
const struct dropin *dropin_find(const char *program);

/* Warns of lines that were skipped because they are too long. */
struct input_lines;
void dropin_warn_skipped(const struct input_lines *lines);

/* Warns if nothing was written. */
void dropin_warn_empty(const struct sink *sink);

/* Draws the folded stacks of the inputs as flamegraph.pl or inferno-flamegraph does, to standard
 * output. Returns the exit code; failed_code after an error. */
struct flamegraph_tree_options;
int dropin_draw(struct settings *settings, const struct flamegraph_tree_options *options,
		int failed_code);

/* The --bgcolors option, or the background that flamegraph.pl pairs with the palette. */
const char *dropin_background(const struct settings *settings);

#endif
