/* SPDX-License-Identifier: MIT */
/*
 * The counters of perf stat, which have no stacks. Each counter is an event, and each of its lines a sample without
 * frames whose period is the count. So lines of intervals, CPUs and threads add up.
 *
 *     Performance counter stats for 'make':
 *          1,234,567      cycles                 event cycles, period 1234567, comm make
 *     0.64 msec task-clock                       event task-clock, period 640000, in nanoseconds
 */
#ifndef LIBPARSE_STAT_PERF_STAT_H
#define LIBPARSE_STAT_PERF_STAT_H

#include "libparse/formats.h"

extern const struct input_format perf_stat_format;

#endif
