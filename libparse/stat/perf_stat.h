/* SPDX-License-Identifier: MIT */
/*
 * The counters of perf stat, which have no stacks. Each counter is an event, and each of its lines
 * a sample without frames whose period is the count. So lines of intervals, CPUs and threads add
 * up.
 *
 *     Performance counter stats for 'make':
 *          1,234,567      cycles                 event cycles, period 1234567, comm make
 *     0.64 msec task-clock                       event task-clock, period 640000, in nanoseconds
 */
#ifndef LIBPARSE_STAT_PERF_STAT_H
#define LIBPARSE_STAT_PERF_STAT_H

#include "libparse/formats.h"

extern const struct input_format perf_stat_format;

/*
 * One counter of perf stat, in any of its three formats and with the extra fields of -I, -A, -r and
 * others:
 *
 *          0.64 msec task-clock            #    0.006 CPUs utilized     ( +-  0.52% )  (75.00%)
 *     0.050102699,CPU0,0.64,msec,task-clock,0.52%,640000,75.00,0.006,CPUs utilized   -x,
 *     {"counter-value" : "0.640000", "unit" : "msec", "event" : "task-clock", ...}   -j
 *
 * Source: tools/perf/util/stat-display.c.
 */
struct perf_stat_line {
	struct text event;
	struct text unit_name;
	enum weight_unit unit;
	uint64_t value;
	bool has_deviation;
	double deviation; /* standard error of the mean of several runs: what -r prints after +- */
	bool is_counted;  /* false: "<not counted>", "<not supported>" */
};

bool perf_stat_parse_text(struct text line, struct perf_stat_line *ret);
bool perf_stat_parse_fields(struct text line, struct perf_stat_line *ret);
bool perf_stat_parse_json(struct text line, struct perf_stat_line *ret);

#endif
