/* SPDX-License-Identifier: MIT */
/*
 * Counters printed by perf stat, which have no stacks. Each counter is an event. Each line for a
 * counter becomes a sample without frames, whose period is the count. Lines for several intervals,
 * CPUs or threads are therefore added up.
 *
 *     Performance counter stats for 'make':
 *          1,234,567      cycles                 event cycles, period 1234567, comm make
 *     0.64 msec task-clock                       event task-clock, period 640000 ns
 */
#ifndef LIBPARSE_STAT_PERF_STAT_H
#define LIBPARSE_STAT_PERF_STAT_H

#include "libparse/formats.h"

extern const struct input_format perf_stat_format;

/*
 * One counter, in any of perf stat's three formats, possibly with the additional fields of -I, -A,
 * -r and other options:
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
	double deviation; /* with -r: standard error of the mean, printed after +- */
	bool is_counted;  /* false for "<not counted>" and "<not supported>" */
};

bool perf_stat_parse_text(struct text line, struct perf_stat_line *ret);
bool perf_stat_parse_fields(struct text line, struct perf_stat_line *ret);
bool perf_stat_parse_json(struct text line, struct perf_stat_line *ret);

#endif
