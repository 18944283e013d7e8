/* SPDX-License-Identifier: MIT */
/* The functions of two sides with their weights over all paths, most important change first. */
#ifndef DIFF_DIFF_FUNCTIONS_H
#define DIFF_DIFF_FUNCTIONS_H

#include "diff/diff.h"

/* What functions come to with all their stacks, where a flame graph does not show them all. */
struct diff_exact {
	uint64_t *
		sums; /* by frame and run, self and then total; NULL: what rows come to is all there is */
	bool *has_total; /* by frame; of others only self is known */
};

/* Takes what the tree knows, and for runs that lack nothing what rows come to before any is folded. */
void diff_exact_init(struct diff_exact *exact, struct diff *diff, const uint64_t *self,
		     const uint64_t *total);
void diff_exact_deinit(struct diff_exact *exact);

/*
 * Fills diff->functions from the weights by row and run, and the dispersions by frame where
 * diff->freedom is not 0. They are ordered by how much they changed themselves, and a tenth of how much
 * they did with what they call. A change that may be noise counts for a quarter, divided by how
 * many times more than chance it deviates, and where it is a decrease for half of that.
 */
void diff_functions_find(struct diff *diff, const uint64_t *self, const uint64_t *total,
			 const struct dispersions *dispersions, const struct diff_exact *exact);

/*
 * Fills rows with the functions that most ended in, on the side where that is more, at after's scale; hottest
 * first. Returns how many there are, count_max at most.
 */
size_t diff_functions_hottest(const struct diff *diff, const struct diff_function **rows,
			      size_t count_max);

#endif
