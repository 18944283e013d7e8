/* SPDX-License-Identifier: MIT */
/* The distributions that comparisons are judged by: the normal one, Student's and F, and the derivatives
 * of the logarithm of the gamma function. */
#ifndef PROFILE_DISTRIBUTION_H
#define PROFILE_DISTRIBUTION_H

/* The probability of both tails beyond z, and the z whose tails are that probable. */
double distribution_normal_tails(double z);
double distribution_normal_quantile(double tails);

/* The same of Student's distribution; 0 degrees of freedom: the normal distribution. */
double distribution_student_tails(double t, double freedom);
double distribution_student_quantile(double tails, double freedom);

/* The probability that an F variable of these degrees of freedom is larger than f. */
double distribution_f_tail(double f, double freedom, double other_freedom);

/* First and second derivative of log gamma, and the inverse of the second; arguments above 0. */
double distribution_digamma(double x);
double distribution_trigamma(double x);
double distribution_trigamma_inverse(double y);

#endif
