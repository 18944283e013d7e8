/* SPDX-License-Identifier: MIT */
/*
 * Comparisons with a flame graph that does not show all stacks: what it may hide is left out of the other
 * captures as well, so that nothing is new or gone because a picture had no room for it.
 *
 *     SVG                 capture                     compared
 *      main 9              main 9                      main 9          main 9
 *       parse 6             parse 6                     parse 6         parse 6
 *       [left out] 1        trim 1                      [left out] 1    [left out] 1
 *
 * Hidden is at most what the mark weighs (in pictures of other tools: what nothing is drawn on), and no more
 * than the narrowest row that is shown. What is heavier elsewhere than twice that is compared as it is.
 */
#ifndef DIFF_DIFF_MISSING_H
#define DIFF_DIFF_MISSING_H

#include "diff/diff.h"

/* Whether a capture is a flame graph that may lack stacks. */
bool diff_missing_is_needed(const struct diff *diff);

/* Folds rows of diff->profile that some flame graph may hide into what stands for them there, with their
 * weights, by row and run, and their parts. */
void diff_missing_fold(struct diff *diff, uint64_t *self, uint64_t *total, binned_weights *parts);

#endif
