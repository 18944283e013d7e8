/* SPDX-License-Identifier: MIT */
/*
 * Events and functions, one by one, as the kernel's trace file has them or as trace-cmd report prints
 * them. Each is a sample: of a function the function and its caller, of others the stack that follows
 * where stacks were recorded (options stacktrace and func_stack_trace):
 *
 *     sleep-5937 [000] d..2. 35911.808690: sched_switch: prev_comm=sleep prev_pid=5937 ...
 *     sleep-5937 [000] d..2. 35911.808700: <stack trace>
 *      => __schedule
 *      => schedule
 *
 * What other processors traced may stand between an event and its stack.
 */
#ifndef LIBPARSE_FTRACE_FTRACE_H
#define LIBPARSE_FTRACE_FTRACE_H

#include "libparse/formats.h"

extern const struct input_format ftrace_format;

#endif
