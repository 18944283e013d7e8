/* SPDX-License-Identifier: MIT */
/*
 * Two sides of perf stat tables, counter by counter, with what counters say together:
 *
 *     cycles                    1,234,567 ±0.52%   2,469,134 ±0.40%   +100.0%
 *     instructions              2,345,678 ±0.01%   2,345,700 ±0.01%     +0.0%
 *     instructions-per-cycle    1.90 ±0.52%        0.95 ±0.40%         -50.0%
 *
 * A counter is one value, however large, and no number of samples. What is known of its spread is what perf stat -r
 * prints behind +-, or how the tables of a side differ where there are several. Where nothing is known of it, a
 * change is a change of values, and is not tested.
 */
#ifndef DIFF_COUNTER_DIFF_H
#define DIFF_COUNTER_DIFF_H

#include "diff/counter_ratio.h"
#include "diff/diff_scale.h"

/* One counter of one side, or a ratio of two. */
struct counter_value {
	double value;
	double error;   /* standard error; NAN: not known */
	double freedom; /* degrees of freedom of the error */
};

struct counter_change {
	str_id event;
	const char *ratio; /* NULL: it is the counter itself */
	str_id of;         /* of a ratio: the other event */
	enum weight_unit unit;
	struct counter_value side[DIFF_SIDES];
	double p_value;           /* of this alone; NAN: not tested */
	double corrected_p_value; /* of this among all that are tested */
	bool is_significant;
};

struct counter_diff_options {
	double confidence;
	const char *event_pattern; /* NULL: all counters */
};

/* The counters of one table. */
struct counter_table {
	enum diff_side side;
	struct profile profile; /* its events alone, with names of the diff's strings */
};

struct counter_diff {
	struct counter_diff_options options;
	struct strings *strings;
	VEC(struct counter_table) tables;
	uint32_t table_count[DIFF_SIDES];
	uint32_t run_count[DIFF_SIDES]; /* of the program, in the first table; 0: not known */
	str_id command[DIFF_SIDES];     /* what was counted, in the first table; empty: not known */
	VEC(struct counter_change) changes;
	VEC(str_id) only[DIFF_SIDES]; /* counted on this side alone */
};

void counter_diff_init(struct counter_diff *diff, const struct counter_diff_options *options);
void counter_diff_deinit(struct counter_diff *diff);

/* Adds a table; what it says is copied. */
void counter_diff_add(struct counter_diff *diff, const struct profile *profile,
		      enum diff_side side);

/* After the last: compares. False when the sides have no counter in common. */
bool counter_diff_finish(struct counter_diff *diff, struct error *err) WARN_UNUSED;

/* The growth in percent; INFINITY: from nothing. */
double counter_change_percent(const struct counter_change *change);

/* Whether the row is called so: its event's name, or as much of it as --event takes; or a ratio's name. */
bool counter_change_is(const struct counter_diff *diff, const struct counter_change *change,
		       const char *name);

#endif
