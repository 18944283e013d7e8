/* SPDX-License-Identifier: MIT */
/*
 * Tells a change of cost from a shift of shares. Shares add up to 100 %, so when one function grows those
 * of all others shrink, by one factor:
 *
 *                before    after
 *     lookup       2 %      17 %     grew
 *     encode      58 %      49 %     times 0.84, as parse: nothing happened to them
 *     parse       40 %      34 %     times 0.85
 *
 * The factor is the median of the functions' ratios, as most functions do not change (Anders and Huber,
 * Differential expression analysis for sequence count data, 2010).
 */
#ifndef DIFF_DIFF_REFERENCE_H
#define DIFF_DIFF_REFERENCE_H

#include "diff/diff_grade.h"

/*
 * Calls DIFF_SHIFTED what was found to have changed, and may well have done so by that factor alone. What
 * has more of a share is a change all the same where it also weighs more in each run, by more than noise:
 * gates must not miss it. Of few functions no median means anything; then nothing is called so.
 */
void diff_reference_settle(struct diff *diff, const struct diff_candidate *candidates,
			   size_t count);

#endif
