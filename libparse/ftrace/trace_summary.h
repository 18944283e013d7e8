/* SPDX-License-Identifier: MIT */
/*
 * What perf trace -s prints: of each thread, how often it made which system call, and how long they
 * took together. Each row is a stack of one frame, below its thread's name:
 *
 *      app (4711), 132 events, 19.9%
 *
 *        syscall            calls  errors  total       min       avg       max       stddev
 *                                          (msec)    (msec)    (msec)    (msec)        (%)
 *        --------------- --------  ------ -------- --------- --------- ---------     ------
 *        futex                  1      0   209.850   209.850   209.850   209.850      0.00%
 *
 * Older versions have no column of errors; with --summary-mode=total there is one table, of "total".
 * Source: thread__dump_stats of tools/perf/builtin-trace.c.
 */
#ifndef LIBPARSE_FTRACE_TRACE_SUMMARY_H
#define LIBPARSE_FTRACE_TRACE_SUMMARY_H

#include "libparse/formats.h"

extern const struct input_format trace_summary_format;

#endif
