/* SPDX-License-Identifier: MIT */
/*
 * One counter of perf stat, in any of its three formats and with the extra fields of -I, -A, -r and others:
 *
 *          0.64 msec task-clock            #    0.006 CPUs utilized     ( +-  0.52% )  (75.00%)
 *     0.050102699,CPU0,0.64,msec,task-clock,0.52%,640000,75.00,0.006,CPUs utilized   -x,
 *     {"counter-value" : "0.640000", "unit" : "msec", "event" : "task-clock", ...}   -j
 *
 * Source: tools/perf/util/stat-display.c.
 */
#ifndef LIBPARSE_STAT_PERF_STAT_LINE_H
#define LIBPARSE_STAT_PERF_STAT_LINE_H

#include "libparse/event.h"

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
