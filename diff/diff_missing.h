/* SPDX-License-Identifier: MIT */
/*
 * Prepares comparisons with an SVG that lacks stacks. Rows that the SVG may hide are also folded in
 * the other captures, so that no row looks new or gone only because the SVG does not show it:
 *
 *     SVG                 capture                     compared
 *      main 9              main 9                      main 9          main 9
 *       parse 6             parse 6                     parse 6         parse 6
 *       [left out] 1        trim 1                      [left out] 1    [left out] 1
 *
 * A hidden row weighs at most as much as [left out] (in SVGs of other tools: the uncovered width),
 * and at most as much as the narrowest row shown. Rows with more than twice this maximum weight in
 * another capture are not folded.
 */
#ifndef DIFF_DIFF_MISSING_H
#define DIFF_DIFF_MISSING_H

#include "diff/diff.h"

/* Whether a capture is an SVG that may lack stacks. */
bool diff_missing_is_needed(const struct diff *diff);

/*
 * Folds rows of diff->profile that one of the SVGs may hide. self, total: weights by row and run.
 */
void diff_missing_fold(struct diff *diff, uint64_t *self, uint64_t *total, binned_weights *binned);

#endif
