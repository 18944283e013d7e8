/* SPDX-License-Identifier: MIT */
#include "profile/distribution.h"

#include <math.h>

/* Beyond this z, both tails of the normal distribution are below the smallest normal double. */
#define Z_MAX 38
/* After this many bisection steps, the precision of a double is exhausted. */
#define STEPS_EXACT 60
/*
 * The natural logarithm of the upper limit for quantiles of Student's distribution, whose tails are
 * heavy at 1 degree of freedom.
 */
#define LOG_QUANTILE_MAX 300
/* The maximum number of terms of the continued fraction; a few tens suffice. */
#define FRACTION_TERMS_MAX 300
#define FRACTION_PRECISION 1e-14
/*
 * For arguments from here on, the asymptotic series are exact except for the last two or three
 * digits of a double.
 */
#define SERIES_MIN 12

double distribution_normal_tails(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

/* Finds the x at which a decreasing function has the given value, by bisection. */
static double bisect(double (*of)(double x, const double *parameters), const double *parameters,
		     double wanted, double low, double high)
{
	for (int i = 0; i < STEPS_EXACT; i++) {
		double middle = (low + high) / 2;

		if (of(middle, parameters) > wanted)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double normal_tails_of(double z, const double *unused)
{
	(void)unused;
	return distribution_normal_tails(z);
}

double distribution_normal_quantile(double tails)
{
	return tails >= 1 ? 0 : bisect(normal_tails_of, 0, tails, 0, Z_MAX);
}

static double away_from_zero(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* Computes the continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1;
	double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
	double value = d;

	for (int m = 1; m <= FRACTION_TERMS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		value *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		value *= d * c;
		if (fabs(d * c - 1) < FRACTION_PRECISION)
			break;
	}
	return value;
}

/*
 * Computes the regularised incomplete beta function at x. `rest` is 1 - x, passed separately
 * because either may be tiny.
 */
static double beta_share(double a, double b, double x, double rest)
{
	double front;

	if (x <= 0 || rest <= 0)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, rest) / b;
}

double distribution_student_tails(double t, double freedom)
{
	double square = t * t;

	if (freedom <= 0)
		return distribution_normal_tails(t);
	if (!isfinite(square))
		return 0;
	return beta_share(freedom / 2, 0.5, freedom / (freedom + square),
			  square / (freedom + square));
}

static double student_tails_of_log(double log_t, const double *freedom)
{
	return distribution_student_tails(exp(log_t), *freedom);
}

double distribution_student_quantile(double tails, double freedom)
{
	if (freedom <= 0)
		return distribution_normal_quantile(tails);
	if (tails >= 1)
		return 0;
	return exp(
		bisect(student_tails_of_log, &freedom, tails, -LOG_QUANTILE_MAX, LOG_QUANTILE_MAX));
}

double distribution_f_tail(double f, double freedom, double other_freedom)
{
	double product = freedom * f;
	double all = product + other_freedom;

	return beta_share(other_freedom / 2, freedom / 2, other_freedom / all, product / all);
}

double distribution_digamma(double x)
{
	double sum = 0;
	double square;

	for (; x < SERIES_MIN; x++)
		sum -= 1 / x;
	square = 1 / (x * x);
	return sum + log(x) - 0.5 / x -
	       square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240)));
}

double distribution_trigamma(double x)
{
	double sum = 0;
	double square;

	for (; x < SERIES_MIN; x++)
		sum += 1 / (x * x);
	square = 1 / (x * x);
	return sum + 1 / x + square / 2 +
	       square / x * (1.0 / 6 - square * (1.0 / 30 - square * (1.0 / 42 - square / 30)));
}

static double trigamma_of_log(double log_x, const double *unused)
{
	(void)unused;
	return distribution_trigamma(exp(log_x));
}

double distribution_trigamma_inverse(double y)
{
	/* trigamma(x) is about 1/x for large x and 1/x^2 for small x. */
	return exp(bisect(trigamma_of_log, 0, y, -20, 20));
}
