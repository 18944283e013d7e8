/* SPDX-License-Identifier: MIT */
/*
 * Estimates the variation between the runs of a side from all functions together. A few runs show
 * little about a single function, but the variation that all functions have in common can be
 * estimated well:
 *
 *     Var(count) = N p (1 - p) V         V = within + m * variation         m = N p (1 - p)
 *
 * within is the dispersion inside a run (dispersion.h). variation is the squared coefficient of the
 * variation between runs that is common to all functions, for example because of a different memory
 * layout or a warmer CPU. F is the remaining deviation of a function's own runs. F has few degrees
 * of freedom, so it is averaged with its expectation, which is 1. The expectation gets more weight
 * if functions vary alike (Smyth 2004). For an outlier, the measured F is used.
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
	double assumed_spread; /* coefficient of variation, if each side has one run */
};

/* The counts of one function. */
struct diff_spread_row {
	const double *counts;         /* by run */
	struct overdispersion within; /* within runs; factor >= 1 */
};

struct diff_spread {
	struct diff_spread_runs runs;
	double variation;     /* squared coefficient of variation between runs */
	double prior_freedom; /* degrees of freedom; 0 if assumed, as with one run per side */
};

/* Fits the model to rows; those with few samples are ignored. */
void diff_spread_fit(struct diff_spread *spread, const struct diff_spread_runs *runs,
		     const struct diff_spread_row *rows, size_t count);

/* Returns the overdispersion for the test of a row. */
struct overdispersion diff_spread_overdispersion(const struct diff_spread *spread,
						 const struct diff_spread_row *row);

#endif
