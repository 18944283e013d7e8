/* SPDX-License-Identifier: MIT */
/*
 * Distributions for the tests of comparisons: normal, Student's t and F, and derivatives of the log
 * gamma function.
 */
#ifndef PROFILE_DISTRIBUTION_H
#define PROFILE_DISTRIBUTION_H

/* The two-sided tail probability of z, and its inverse. */
double distribution_normal_tails(double z);
double distribution_normal_quantile(double tails);

/*
 * The two-sided tail probability of Student's t distribution, and its inverse; 0 degrees of freedom
 * means the normal distribution.
 */
double distribution_student_tails(double t, double freedom);
double distribution_student_quantile(double tails, double freedom);

/* The probability that an F variable with these degrees of freedom exceeds f. */
double distribution_f_tail(double f, double freedom, double other_freedom);

/*
 * The first and second derivatives of log gamma, and the inverse of the second, for arguments above
 * 0.
 */
double distribution_digamma(double x);
double distribution_trigamma(double x);
double distribution_trigamma_inverse(double y);

#endif
