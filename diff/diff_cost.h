/* SPDX-License-Identifier: MIT */
/*
 * What functions cost for each unit of the work that was done, in the captures' weights:
 *
 *                     before   after    unit of work
 *     --ops             1.20     1.41   an operation
 *     normalised by time              a wall second
 *     by total, or by nothing         a run
 *
 * The totals are what makes costs of shares. A share that grew by a tenth of a total that grew by a tenth is a
 * cost that grew by 21 %; its interval has what is not known of either. Changes in points are of before's total, so those
 * of all functions themselves add up to the change of the total.
 */
#ifndef DIFF_DIFF_COST_H
#define DIFF_DIFF_COST_H

#include "diff/diff.h"

enum diff_work {
	DIFF_WORK_RUN,
	DIFF_WORK_OPERATION,
	DIFF_WORK_SECOND,
	DIFF_WORK_CPU_SECOND,
	DIFF_WORK_SAMPLE,
	DIFF_WORK_SCALED_RUN, /* before's is multiplied by a factor */
};

struct diff_cost {
	double value[DIFF_SIDES]; /* weight for each unit of work */
	double points,
		percent; /* of before's total, and of what it was; the latter may be INFINITY */
	struct diff_interval points_interval, percent_interval; /* NAN where nothing is graded */
};

enum diff_work diff_work_of(const struct diff *diff);

/*
 * Whether costs can be compared: both sides are counted in one unit, and where only shares were asked for it is
 * known how long the runs were. Without that nobody can tell a longer capture from more work.
 */
bool diff_has_costs(const struct diff *diff);

/* Units of work that a side did. */
double diff_work_size(const struct diff *diff, enum diff_side side);

/* Of a function's self or total; diff_has_costs. */
struct diff_cost diff_cost_of(const struct diff *diff, const struct diff_measure *measure,
			      const struct diff_estimate *estimate);

#endif
