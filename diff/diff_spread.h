/* SPDX-License-Identifier: MIT */
/*
 * The variation between runs of a side, estimated from all functions together. A few runs tell little about one
 * function, but what all have in common is known well:
 *
 *     Var(count) = N p (1 - p) V         V = within + m * variation         m = N p (1 - p)
 *
 * within is the dispersion inside a run (dispersion.h). variation is the squared coefficient of variation between runs
 * that all functions share: another memory layout, a warmer CPU. F is the remaining deviation of a function's own runs.
 * It has few degrees of freedom, so it is averaged with its expectation, 1, which counts the more the more alike
 * functions vary (Smyth 2004). An outlier is taken as measured.
 */
#ifndef DIFF_DIFF_SPREAD_H
#define DIFF_DIFF_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/diff_scale.h"
#include "diff/significance.h"

/* The runs of both sides. Arrays are borrowed. */
struct diff_spread_runs {
	const enum diff_side *side;
	const double *size; /* by run: samples; for rates, exposure in samples */
	size_t count;
	bool has_shares;       /* counts are shares of size, not rates */
	double assumed_spread; /* coefficient of variation with one run per side */
};

/* The counts of one function. */
struct diff_spread_row {
	const double *counts;         /* by run */
	struct overdispersion within; /* within runs; factor >= 1 */
};

struct diff_spread {
	struct diff_spread_runs runs;
	double variation;     /* squared coefficient of variation between runs */
	double prior_freedom; /* degrees of freedom; 0: one run per side, variation is assumed */
};

/* Fits the model to rows; those with few samples are ignored. */
void diff_spread_fit(struct diff_spread *spread, const struct diff_spread_runs *runs,
		     const struct diff_spread_row *rows, size_t count);

/* The overdispersion to test a row with. */
struct overdispersion diff_spread_overdispersion(const struct diff_spread *spread,
						 const struct diff_spread_row *row);

#endif
