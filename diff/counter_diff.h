/* SPDX-License-Identifier: MIT */
/*
 * Compares perf stat tables, counter by counter, and the ratios of counters:
 *
 *     cycles                    1,234,567 ±0.52%   2,469,134 ±0.40%   +100.0%
 *     instructions              2,345,678 ±0.01%   2,345,700 ±0.01%     +0.0%
 *     instructions-per-cycle    1.90 ±0.52%        0.95 ±0.40%         -50.0%
 *
 * A counter is one value, not a number of samples. perf stat -r prints the error of the value after
 * "+-"; otherwise, the error is computed from several tables of a side. Without an error, a change
 * is not tested.
 */
#ifndef DIFF_COUNTER_DIFF_H
#define DIFF_COUNTER_DIFF_H

#include "diff/counter_ratio.h"
#include "diff/diff_scale.h"

/* A counter of one side, or a ratio of two counters. */
struct counter_value {
	double value;
	double error;   /* standard error; NAN: unknown */
	double freedom; /* degrees of freedom of the error */
};

struct counter_change {
	str_id event;
	const char *ratio; /* NULL means the counter itself */
	str_id of;         /* the second event of a ratio */
	enum weight_unit unit;
	struct counter_value side[DIFF_SIDES];
	double p_value;           /* not corrected; NAN: not tested */
	double corrected_p_value; /* corrected for the number of tests */
	bool is_significant;
};

struct counter_diff_options {
	double confidence;
	const char *event_pattern; /* NULL means all counters */
};

/* The counters of one table. */
struct counter_table {
	enum diff_side side;
	struct profile profile; /* only events; names are in the diff's strings */
};

struct counter_diff {
	struct counter_diff_options options;
	struct strings *strings;
	VEC(struct counter_table) tables;
	uint32_t table_count[DIFF_SIDES];
	uint32_t run_count[DIFF_SIDES]; /* runs of the program in the first table; 0 if unknown */
	str_id command[DIFF_SIDES];     /* command of the first table; empty: unknown */
	VEC(struct counter_change) changes;
	VEC(str_id) only[DIFF_SIDES]; /* counters that only this side has */
};

void counter_diff_init(struct counter_diff *diff, const struct counter_diff_options *options);
void counter_diff_deinit(struct counter_diff *diff);

/* Adds a copy of a table. */
void counter_diff_add(struct counter_diff *diff, const struct profile *profile,
		      enum diff_side side);

/* Compares the sides. False if they have no counter in common. */
bool counter_diff_finish(struct counter_diff *diff, struct error *err) WARN_UNUSED;

/* Returns the change in percent, or INFINITY if the value before is 0. */
double counter_change_percent(const struct counter_change *change);

/* Whether name selects the row. name: an event as in --event, or the name of a ratio. */
bool counter_change_is(const struct counter_diff *diff, const struct counter_change *change,
		       const char *name);

#endif
