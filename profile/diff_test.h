/* SPDX-License-Identifier: MIT */
/*
 * Whether a difference of sample counts can be noise. All tests are two-sided and give the
 * probability of a difference at least as large where in truth there is none.
 *
 *                 one run a side                      several runs a side
 *     shares      two proportions, or Fisher's exact   also Welch's t on the runs
 *     rates       two Poisson rates, conditional       also Welch's t on the runs
 *
 * Counts are numbers of samples. They need not be whole: a weight divided by what one sample weighs
 * on average is such a count too.
 */
#ifndef PROFILE_DIFF_TEST_H
#define PROFILE_DIFF_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of count_a among all_a samples, and count_b among all_b. */
double diff_test_shares(double count_a, double all_a, double count_b, double all_b);

/* Of two counts, where without a difference share_b of both together are b's (between 0 and 1). */
double diff_test_rates(double count_a, double count_b, double share_b);

/* Of the means of two lists of at least two values each, whose variances may differ. */
double diff_test_means(const double *a, size_t a_count, const double *b, size_t b_count);

/* Of a difference by how many standard errors it is, which are estimated with so many degrees of freedom:
 * Student's t test. */
double diff_test_by_error(double distance, double freedom);

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

/* What the p value of a test of the normal distribution is by Student's of so many degrees of freedom;
 * by 0 the same. */
double diff_test_by_freedom(double p_value, double freedom);

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
