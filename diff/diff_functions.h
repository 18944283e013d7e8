/* SPDX-License-Identifier: MIT */
/*
 * Lists the functions of both sides with their weights over all stacks, the most important change
 * first.
 */
#ifndef DIFF_DIFF_FUNCTIONS_H
#define DIFF_DIFF_FUNCTIONS_H

#include "diff/diff.h"

/* Exact sums of functions, for SVGs that do not show all stacks. The caller frees the arrays. */
struct diff_exact {
	uint64_t *sums;  /* by frame and run: self, then total; NULL if none */
	bool *has_total; /* by frame; false if only self is known */
};

/*
 * Gets the sums from diff->tree.known, which is then freed, and from the rows of complete runs.
 * Must be called before rows are folded.
 */
void diff_exact_init(struct diff_exact *exact, struct diff *diff, const uint64_t *self,
		     const uint64_t *total);

/*
 * Fills and grades diff->functions and diff->groups. self, total: weights by row and run.
 * dispersions: by frame; used if diff->freedom is not 0. Functions are sorted by the change of self
 * plus a tenth of the change of total. Before they are added, changes that may be noise are divided
 * by four and by the square root of the overdispersion, and such decreases are also halved.
 */
void diff_functions_find(struct diff *diff, const uint64_t *self, const uint64_t *total,
			 const struct dispersions *dispersions, const struct diff_exact *exact);

/*
 * Finds the functions with the largest self weight on either side, at the scale of the AFTER side;
 * hottest first. Returns their number, which is at most count_max.
 */
size_t diff_functions_hottest(const struct diff *diff, const struct diff_function **rows,
			      size_t count_max);

#endif
