/* SPDX-License-Identifier: MIT */
/* The functions of two sides with their weights over all paths, most important change first. */
#ifndef PROFILE_DIFF_FUNCTIONS_H
#define PROFILE_DIFF_FUNCTIONS_H

#include "profile/diff.h"

/*
 * Fills diff->functions from the weights by row and run, and the dispersions by frame where
 * diff->freedom is not 0. They are ordered by how much they changed themselves, and a tenth of how much
 * they did with what they call. A change that may be noise counts for a quarter, divided by how
 * many times more than chance it deviates, and where it is a decrease for half of that.
 */
void diff_functions_find(struct diff *diff, const uint64_t *self, const uint64_t *total,
			 const struct diff_dispersions *dispersions);

/*
 * Fills rows with the functions that most ended in, on the side where that is more, at after's scale; hottest
 * first. Returns how many there are, count_max at most.
 */
size_t diff_functions_hottest(const struct diff *diff, const struct diff_function **rows,
			      size_t count_max);

#endif
