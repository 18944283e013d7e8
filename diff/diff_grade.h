/* SPDX-License-Identifier: MIT */
/*
 * Judges what is compared. Functions, themselves and with what they call, are one family: that any of
 * them is called a change by mistake is as improbable as the confidence says. A row, which is a part of a
 * function, changed where its function did, in the same direction, and where it would be called so by
 * itself; so no row ever says what the function does not.
 */
#ifndef DIFF_DIFF_GRADE_H
#define DIFF_DIFF_GRADE_H

#include "diff/diff.h"

/* What is graded together. */
struct diff_candidate {
	struct diff_measure *measure;
	struct diff_estimate *estimate;
	struct dispersion within; /* of runs */
	const uint64_t *columns;  /* its weight in each run */
	bool is_self;
	bool is_twin; /* the same as the one before it: one question, asked and answered once */
};

void diff_grade_functions(const struct diff *diff, const struct diff_candidate *candidates,
			  size_t count);

/* Judges a row's measure by its function's. */
void diff_grade_row(const struct diff *diff, struct diff_measure *row,
		    const struct diff_measure *function, const struct diff_estimate *estimate);

/* Judges the totals, of all runs. */
void diff_grade_overall(struct diff *diff);

#endif
