/* SPDX-License-Identifier: MIT */
/*
 * The cost of functions: weight per unit of work.
 *
 *                             before   after    unit of work
 *     --ops                     1.20     1.41   an operation
 *     --normalise time                          a wall second
 *     --normalise total, none                   a run
 *
 * Costs follow from shares and totals: if a share grew by 10% and the total grew by 10%, the cost
 * grew by 21%. The interval of a cost includes the errors of the share and of the total. Points of
 * cost are relative to the total before, so the changes of all self weights add up to the change of
 * the total.
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
	DIFF_WORK_SCALED_RUN, /* the weights before are multiplied by a factor */
};

struct diff_cost {
	double value[DIFF_SIDES]; /* weight per unit of work */
	double points, percent; /* points of the total before; percent of before, INFINITY if new */
	struct diff_interval points_interval, percent_interval; /* NAN if not graded */
};

enum diff_work diff_work_of(const struct diff *diff);

/*
 * Whether costs are known. Both sides must have the same unit. If shares are compared, the
 * durations of runs must be known as well: otherwise, a longer capture would look like more work.
 */
bool diff_has_costs(const struct diff *diff);

/* The cost of a self or total weight. Requires diff_has_costs. */
struct diff_cost diff_cost_of(const struct diff *diff, const struct diff_measure *measure,
			      const struct diff_estimate *estimate);

#endif
