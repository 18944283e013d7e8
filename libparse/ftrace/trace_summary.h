/* SPDX-License-Identifier: MIT */
/*
 * The summary of perf trace -s: for each thread, the count and total time of each system call. Each row is a stack of
 * one frame, below its thread's name:
 *
 *      app (4711), 132 events, 19.9%
 *
 *        syscall            calls  errors  total       min       avg       max       stddev
 *                                          (msec)    (msec)    (msec)    (msec)        (%)
 *        --------------- --------  ------ -------- --------- --------- ---------     ------
 *        futex                  1      0   209.850   209.850   209.850   209.850      0.00%
 *
 * Older versions print no errors; with --summary-mode=total there is one table, "total".
 * Source: thread__dump_stats of tools/perf/builtin-trace.c.
 */
#ifndef LIBPARSE_FTRACE_TRACE_SUMMARY_H
#define LIBPARSE_FTRACE_TRACE_SUMMARY_H

#include "libparse/formats.h"

extern const struct input_format trace_summary_format;

#endif
