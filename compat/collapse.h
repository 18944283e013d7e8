/* SPDX-License-Identifier: MIT */
/*
 * Text of perf script, collapsed by the rules of another tool: for the drop-ins, which write what
 * that would write.
 */
#ifndef COMPAT_COLLAPSE_H
#define COMPAT_COLLAPSE_H

#include "compat/collapse_frame.h"
#include "session/session.h"

/* Whose rules are followed. */
enum collapse_tool {
	COLLAPSE_AS_PERL,    /* stackcollapse-perf.pl */
	COLLAPSE_AS_INFERNO, /* inferno-collapse-perf */
};

/* Opens a session whose profile, once built, has the stacks that the tool would write. thread_count 0: as many
 * as there are processors. */
bool collapse_open(struct session *session, const char *path, enum collapse_tool tool,
		   const struct collapse_options *options, unsigned thread_count,
		   struct error *err) WARN_UNUSED;

#endif
