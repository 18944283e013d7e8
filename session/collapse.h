/* SPDX-License-Identifier: MIT */
/*
 * Text of perf script, collapsed by the rules of another tool: for the drop-ins, which write what
 * that would write. Several inputs are read as one.
 */
#ifndef SESSION_COLLAPSE_H
#define SESSION_COLLAPSE_H

#include "session/session.h"

/* The options of stackcollapse-perf.pl. */
struct collapse_options {
	bool with_pid, with_tid;
	bool marks_kernel, marks_jit;
	bool shows_addresses;
	bool has_source_lines;
	const char *event_filter; /* NULL: the first event there is */
};

/* Opens a session whose profile, once built, has the stacks that stackcollapse-perf.pl would write. */
bool collapse_open(struct session *session, const char *path,
		   const struct collapse_options *options, struct error *err) WARN_UNUSED;

#endif
