/* SPDX-License-Identifier: MIT */
/*
 * Whether a difference of sample counts can be noise. All tests are two-sided. Each returns by how many
 * standard deviations the sides differ; where counts are few, the deviations of a normal distribution
 * whose tails are as probable as those of the exact one.
 *
 *     shares      two proportions, or Fisher's exact test
 *     rates       two Poisson rates, conditional on their sum
 *
 * Counts are numbers of samples. They need not be whole: a weight divided by what one sample weighs
 * on average is such a count too, and so is one divided by how much more than chance it varies.
 */
#ifndef DIFF_SIGNIFICANCE_H
#define DIFF_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of count_a among all_a samples, and count_b among all_b. */
double diff_test_shares(double count_a, double all_a, double count_b, double all_b);

/* Of two counts, where without a difference share_b of both together are b's (between 0 and 1). */
double diff_test_rates(double count_a, double count_b, double share_b);

/* How a count varies, beside that of as many independent samples. */
struct diff_test_noise {
	double factor; /* its variance over theirs; what it counts for is the count divided by it */
	double freedom; /* of the factor, which is estimated; 0: it is known */
};

/*
 * What to test by where so much dispersion was found with so many degrees of freedom, 0 for none. What
 * chance explains is mostly chance, and counts for less than the knowledge that samples are often
 * independent (Smyth 2004); what it does not explain is taken as it was found.
 */
struct diff_test_noise diff_test_noise_of(double dispersion, double freedom);

/* The probability of as many deviations or more where in truth there is no difference, by Student's
 * distribution; freedom 0: by the normal one. */
double diff_test_p_value(double deviations, double freedom);

/*
 * How many samples something must have on both sides together for any outcome of a test to be
 * significant, when everything of as many is tested at once; what has fewer need not be corrected
 * for (Tarone 1990). counts are those of count things. share_b is as above.
 */
double diff_test_least_count(const double *counts, size_t count, double share_b, double error_rate);

struct diff_test_row {
	double p_value;
	size_t index; /* the caller's */
};

/*
 * Replaces p values by those that hold for all of them together (Holm 1979): when rows with at most
 * x are called significant, the probability that any of them is noise is at most x. Sorts the rows,
 * but for those that come to 1 at the end.
 */
void diff_test_correct(struct diff_test_row *rows, size_t count);

#endif
