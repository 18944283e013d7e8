/* SPDX-License-Identifier: MIT */
/*
 * Other tools that kiln stands in for: called by one of their names, through a link that
 * `make install-compat` makes, it takes that tool's options and writes what that tool would.
 *
 *     stackcollapse-perf.pl ─▶ kiln      the last part of argv[0] is looked up in a table
 */
#ifndef TOOLS_DROPIN_H
#define TOOLS_DROPIN_H

#include "tools/command.h"

struct dropin {
	const char *name; /* of the tool */
	/* Does what the tool does; the exit code is the tool's. */
	int (*run)(int argc, char **argv);
};

extern const struct dropin dropin_stackcollapse_bpftrace;
extern const struct dropin dropin_stackcollapse_perf;

/* The drop-in of that name, which may have a path before it; NULL: there is none. */
const struct dropin *dropin_find(const char *program);

#endif
