/* SPDX-License-Identifier: MIT */
/*
 * Reads events and function calls from the kernel's trace file or trace-cmd report. Each event or
 * call becomes a sample. The stack of a sample is the function and its caller, or the stack trace
 * that follows the event (trace options stacktrace and func_stack_trace):
 *
 *     sleep-5937 [000] d..2. 35911.808690: sched_switch: prev_comm=sleep prev_pid=5937 ...
 *     sleep-5937 [000] d..2. 35911.808700: <stack trace>
 *      => __schedule
 *      => schedule
 *
 * There may be lines of other CPUs between an event and its stack.
 */
#ifndef LIBPARSE_FTRACE_FTRACE_H
#define LIBPARSE_FTRACE_FTRACE_H

#include "libparse/formats.h"

extern const struct input_format ftrace_format;
extern const struct input_format function_graph_format;
extern const struct input_format trace_summary_format;

/* Members of ftrace_format, for formats that are converted to ftrace text. */
bool ftrace_read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err) WARN_UNUSED;
event_frame_reader ftrace_read_frame;

#endif
