/* SPDX-License-Identifier: MIT */
/*
 * Tests differences between sample counts. All tests are two-sided, and return the difference in
 * standard deviations. For small counts, the probability of the exact test is converted to standard
 * deviations of a normal distribution.
 *
 *     shares      two proportions, or Fisher's exact test
 *     rates       two Poisson rates, conditional on their sum
 *
 * Counts are numbers of samples, not necessarily whole: a weight divided by the mean weight of a
 * sample, or a count divided by its overdispersion.
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

/* A confidence interval of a share or a rate. */
struct significance_interval {
	double low, high;
};

/*
 * Wilson's score interval of count / all, which is valid even for few samples. deviations: of the
 * normal distribution, such as 1.96 for 95%.
 */
struct significance_interval significance_share_interval(double count, double all,
							 double deviations);

/* The confidence interval of the rate of a Poisson process: count events in an exposure. */
struct significance_interval significance_rate_interval(double count, double exposure,
							double deviations);

/* How much more a count varies than a count of independent samples would. */
struct overdispersion {
	double factor;  /* variance relative to independent samples; counts are divided by it */
	double freedom; /* degrees of freedom of the factor; 0 if it is known exactly */
};

/*
 * Estimates overdispersion from a dispersion with this many degrees of freedom (0: none was
 * measured). A dispersion that can be due to chance is averaged with the prior, which assumes that
 * samples are independent (Smyth 2004). A larger dispersion is used as measured.
 */
struct overdispersion overdispersion_of(double dispersion, double freedom);

/*
 * Returns the smallest count of both sides together that can be significant at all, if all
 * comparisons with at least this count are tested (Tarone 1990). Smaller counts are not tested, so
 * no correction is needed for them. counts: the counts of all comparisons. share_b: as above.
 */
double significance_least_count(const double *counts, size_t count, double share_b,
				double error_rate);

struct significance_row {
	double p_value;
	size_t index; /* an index of the caller */
};

/*
 * Applies Holm's correction (1979) to p values. If all rows with a corrected value of at most x are
 * called significant, the probability that any of these is wrong is at most x. Sorts the rows,
 * except those at the end that are corrected to 1.
 */
void significance_correct(struct significance_row *rows, size_t count);

#endif
