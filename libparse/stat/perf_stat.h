/* SPDX-License-Identifier: MIT */
/*
 * What perf stat counted: no stacks, but numbers. Each counter is an event, and each line of it a sample
 * without frames whose period is what was counted; so lines of intervals, processors and threads add up.
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
