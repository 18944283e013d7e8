/* SPDX-License-Identifier: MIT */
/*
 * Tests all differences for significance and assigns verdicts. Self weights and totals of all
 * functions are one family of tests: the probability that any of them is reported as a change by
 * mistake is 1 - confidence. A row of the tree counts as changed if its own difference is
 * significant, and its function changed in the same direction.
 */
#ifndef DIFF_DIFF_GRADE_H
#define DIFF_DIFF_GRADE_H

#include "diff/diff.h"
#include "diff/diff_verdict.h"
#include "diff/dispersion.h"

struct diff_candidate {
	struct diff_measure *measure;
	struct diff_estimate *estimate;
	struct dispersion within;
	const uint64_t *columns; /* weights by run */
	bool is_self;
	bool is_twin; /* equal to the previous candidate, so it is not tested again */
};

void diff_grade_functions(const struct diff *diff, const struct diff_candidate *candidates,
			  size_t count);

/*
 * Distinguishes changes from shifts of shares. Shares add up to 100%, so when one function grows,
 * the shares of all others shrink by the same factor:
 *
 *                before    after
 *     lookup       2%       17%      grew
 *     encode      58%       49%      times 0.84, as parse: unchanged
 *     parse       40%       34%      times 0.85
 *
 * The factor is the median ratio of all functions, because most functions do not change (Anders and
 * Huber, Differential expression analysis for sequence count data, 2010). A change that this factor
 * explains becomes DIFF_SHIFTED. A larger share remains a change if the function's weight per run
 * also grew by more than noise, because --fail-if must not miss such a change.
 */
void diff_grade_shifts(struct diff *diff, const struct diff_candidate *candidates, size_t count);

void diff_grade_row(const struct diff *diff, struct diff_measure *row,
		    const struct diff_measure *function, const struct diff_estimate *estimate);

/* Tests the totals: diff_totals.c. */
void diff_grade_totals(struct diff *diff);

#endif
