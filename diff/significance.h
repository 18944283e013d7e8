/* SPDX-License-Identifier: MIT */
/*
 * Tests of differences between sample counts. All are two-sided. They return the difference in standard deviations; for
 * small counts, the deviations of a normal distribution with the tail probability of the exact test.
 *
 *     shares      two proportions, or Fisher's exact test
 *     rates       two Poisson rates, conditional on their sum
 *
 * Counts are numbers of samples, not necessarily whole: a weight divided by the mean weight of a sample, or a count
 * divided by its overdispersion.
 */
#ifndef DIFF_SIGNIFICANCE_H
#define DIFF_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compares count_a of all_a samples with count_b of all_b. */
double significance_of_shares(double count_a, double all_a, double count_b, double all_b);

/* Compares two counts. share_b: the expected share of b in their sum, between 0 and 1. */
double significance_of_rates(double count_a, double count_b, double share_b);

/* How much more a count varies than that of independent samples. */
struct overdispersion {
	double factor;  /* variance relative to independent samples; counts are divided by it */
	double freedom; /* degrees of freedom of the factor; 0: it is known exactly */
};

/*
 * Estimates overdispersion from a dispersion with so many degrees of freedom (0: none measured). A dispersion within
 * chance is averaged with the prior that samples are independent (Smyth 2004); a larger one is taken as measured.
 */
struct overdispersion overdispersion_of(double dispersion, double freedom);

/*
 * The samples on both sides together that can be significant at all, when everything with as many is tested (Tarone
 * 1990); smaller counts need no correction. counts: the counts of all comparisons. share_b: as above.
 */
double significance_least_count(const double *counts, size_t count, double share_b,
				double error_rate);

struct significance_row {
	double p_value;
	size_t index; /* the caller's */
};

/*
 * Holm's correction (1979): replaces p values so that calling rows with at most x significant is wrong in any of them
 * with probability at most x. Sorts the rows, except those at the end that are corrected to 1.
 */
void significance_correct(struct significance_row *rows, size_t count);

#endif
