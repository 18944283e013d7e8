/* SPDX-License-Identifier: MIT */
/*
 * Parses a line of the kernel's trace file or of trace-cmd report:
 *
 *     sleep-5937    [000] d..2. 35911.808690: sched_switch: prev_comm=sleep ...
 *     comm-tid      cpu   flags time          rest
 *     bash-12 (  9) [001]       35911.808690: vfs_read <-ksys_read
 *             tgid
 *
 * A comm may contain blanks, dashes and brackets. Source: kernel/trace/trace_output.c,
 * trace_print_context.
 */
#ifndef LIBPARSE_FTRACE_FTRACE_LINE_H
#define LIBPARSE_FTRACE_FTRACE_LINE_H

#include "base/span.h"

struct ftrace_line {
	struct text comm;
	uint32_t pid, tid, cpu; /* if the line has no pid, `pid` is the tid */
	bool has_time;
	uint64_t time_ns;
	struct text rest;
};

bool ftrace_line_parse(struct text line, struct ftrace_line *ret);

/*
 * Whether a line reports lost events: "CPU:1 [LOST 17 EVENTS]" in the kernel's trace_pipe file,
 * "CPU:1 [17 EVENTS DROPPED]" in trace-cmd report. A line without a number counts as one. The
 * heading of the trace file has two numbers: the events in the buffer, and the events written. The
 * others were overwritten.
 */
bool ftrace_line_is_lost(struct text line, uint64_t *count_ret);

/* The content of a trace file. */
enum ftrace_kind {
	FTRACE_NONE,
	FTRACE_EVENTS, /* individual events or functions */
	FTRACE_GRAPH,  /* function calls and their durations */
};
/* **ret becomes the first line of that kind. */
enum ftrace_kind ftrace_kind_of(struct span head, const char **ret);

#endif
