/* SPDX-License-Identifier: MIT */
/*
 * How much the runs of a side differ among themselves, learnt from all functions together. A few runs
 * say little about one function; what is common to all of them is known well:
 *
 *     Var(count) = N p (1 - p) V         V = within + m * variation         m = N p (1 - p)
 *
 * within is the dispersion inside a run (dispersion.h). variation is the squared coefficient of
 * variation between runs that all functions share: code is laid out otherwise, the machine is warmer.
 * What a function's own runs deviate by beyond that is F, of few degrees of freedom; it is averaged
 * with the 1 that is expected, which counts for as many degrees as functions are alike
 * (Smyth 2004). A function far beyond what they have in common is taken as it was found.
 */
#ifndef DIFF_DIFF_SPREAD_H
#define DIFF_DIFF_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/diff_scale.h"
#include "diff/significance.h"

/* The runs that are compared. Arrays are the caller's. */
struct diff_spread_runs {
	const enum diff_side *side;
	const double *size; /* by run: its samples, or, of rates, its exposure in samples */
	size_t count;
	bool has_shares;       /* counts are shares of size; else they are rates, and may be more */
	double assumed_spread; /* coefficient of variation, where there is one run a side */
};

/* What was counted of one thing. */
struct diff_spread_row {
	const double *counts;          /* by run, in samples */
	struct diff_test_noise within; /* of runs; its factor is 1 or more */
};

struct diff_spread {
	struct diff_spread_runs runs;
	double variation;     /* between runs: the square of a coefficient of variation */
	double prior_freedom; /* of F; 0: there is one run a side, and variation is what was assumed */
};

/* Learns from rows, of which those with few samples say nothing. */
void diff_spread_fit(struct diff_spread *spread, const struct diff_spread_runs *runs,
		     const struct diff_spread_row *rows, size_t count);

/* What a row is to be tested by. */
struct diff_test_noise diff_spread_noise(const struct diff_spread *spread,
					 const struct diff_spread_row *row);

#endif
