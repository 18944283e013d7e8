/* SPDX-License-Identifier: MIT */
#include "diff/significance.h"

#include <math.h>
#include <stdlib.h>

#include "profile/distribution.h"

/* The normal approximation is used if every expected count is at least this. */
#define EXPECTED_MIN 50
/* Limits for summing a tail: the number of terms, and the smallest term relative to the sum. */
#define TAIL_TERMS_MAX 100000
#define TAIL_PRECISION 1e-17
/* Resolution of significance_least_count. */
#define COUNT_STEPS 1024
/* Rows with larger p values rarely need to be sorted. */
#define CHANCE_P_VALUE 0.02
/* 99th percentile of the normal distribution. */
#define CHANCE_Z 2.3263
/* The degrees of freedom of the prior, which assumes that samples are independent. */
#define INDEPENDENCE_FREEDOM 15

static double probability(double value)
{
	return value > 1 ? 1 : value < 0 ? 0 : value;
}

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/*
 * The distribution of b among `together` samples: hypergeometric with all_a and all_b; binomial if
 * all_a is 0.
 */
struct split {
	double together, all_a, all_b, share_b;
};

static double log_density(const struct split *split, double b)
{
	double a = split->together - b;

	if (split->all_a > 0)
		return log_choose(split->all_b, b) + log_choose(split->all_a, a) -
		       log_choose(split->all_a + split->all_b, split->together);
	return log_choose(split->together, b) + b * log(split->share_b) +
	       a * log1p(-split->share_b);
}

/* density(b + 1) / density(b) */
static double step_up(const struct split *split, double b)
{
	double a = split->together - b;

	if (split->all_a > 0)
		return a * (split->all_b - b) / ((b + 1) * (split->all_a - a + 1));
	return a * split->share_b / ((b + 1) * (1 - split->share_b));
}

/* The probability of b or more, or of b or less. */
static double tail(const struct split *split, double b, bool is_upper)
{
	double term = exp(log_density(split, b));
	double sum = term;

	for (int i = 0; i < TAIL_TERMS_MAX && term > sum * TAIL_PRECISION; i++) {
		if (is_upper) {
			term *= step_up(split, b);
			b++;
		} else {
			double down = b > 0 ? step_up(split, b - 1) : 0;

			term = down > 0 ? term / down : 0;
			b--;
		}
		sum += term;
	}
	return sum;
}

/*
 * Returns the exact two-sided probability, converted to standard deviations of a normal
 * distribution.
 */
static double exact(const struct split *split, double b, double expected_b)
{
	/* Twice the tail on the observed side. */
	return distribution_normal_quantile(probability(2 * tail(split, b, b > expected_b)));
}

double significance_of_shares(double count_a, double all_a, double count_b, double all_b)
{
	double together = count_a + count_b;
	double all = all_a + all_b;
	double share = together / all;
	double smaller = all_a < all_b ? all_a : all_b;
	double rarer = share < 0.5 ? share : 1 - share;
	struct split split = {
		.together = round(count_a) + round(count_b),
		.all_a = round(all_a),
		.all_b = round(all_b),
	};

	if (all_a <= 0 || all_b <= 0 || share <= 0 || share >= 1)
		return 0;
	if (smaller * rarer >= EXPECTED_MIN) {
		double variance = share * (1 - share) * (1 / all_a + 1 / all_b);

		return fabs(count_b / all_b - count_a / all_a) / sqrt(variance);
	}
	if (split.together >= split.all_a + split.all_b)
		return 0;
	return exact(&split, round(count_b),
		     split.together * split.all_b / (split.all_a + split.all_b));
}

double significance_of_rates(double count_a, double count_b, double share_b)
{
	double together = count_a + count_b;
	double smaller = share_b < 0.5 ? share_b : 1 - share_b;
	double expected = together * share_b;
	struct split split = { .together = round(count_a) + round(count_b), .share_b = share_b };

	if (together <= 0 || smaller <= 0)
		return 0;
	if (together * smaller >= EXPECTED_MIN)
		return fabs(count_b - expected) / sqrt(expected * (1 - share_b));
	return exact(&split, round(count_b), split.together * share_b);
}

/* Wilson's interval. added: for a share, the square of the deviations; for a rate, 0. */
static struct significance_interval interval_of(double count, double all, double left,
						double deviations, double added)
{
	double square = deviations * deviations;
	double half = deviations * sqrt(count * left + square / 4);

	return (struct significance_interval){
		.low = fmax(0, count + square / 2 - half) / (all + added),
		.high = (count + square / 2 + half) / (all + added),
	};
}

struct significance_interval significance_share_interval(double count, double all,
							 double deviations)
{
	return interval_of(count, all, fmax(0, 1 - count / all), deviations,
			   deviations * deviations);
}

struct significance_interval significance_rate_interval(double count, double exposure,
							double deviations)
{
	return interval_of(count, exposure, 1, deviations, 0);
}

/*
 * The 99th percentile of chi-squared, divided by its degrees of freedom (Wilson and Hilferty 1931).
 */
static double largest_by_chance(double freedom)
{
	double variance = 2 / (9 * freedom);
	double root = 1 - variance + CHANCE_Z * sqrt(variance);

	return root * root * root;
}

struct overdispersion overdispersion_of(double dispersion, double freedom)
{
	double all = freedom + INDEPENDENCE_FREEDOM;

	if (freedom <= 0)
		return (struct overdispersion){ 1, 0 };
	/*
	 * If a function has samples in only a few time bins, they may be a single burst, so at
	 * least the prior's degrees of freedom are used.
	 */
	if (dispersion > largest_by_chance(fmax(freedom, INDEPENDENCE_FREEDOM)))
		return (struct overdispersion){ dispersion, freedom };
	return (struct overdispersion){
		fmax(1, (dispersion * freedom + INDEPENDENCE_FREEDOM) / all), all
	};
}

/*
 * Returns the minimum number of samples that can be significant in `count` comparisons. Fewer
 * samples are not significant even if all of them are on the less likely side.
 */
static double least_of(double count, double smaller_share, double error_rate)
{
	return log(error_rate / 2 / count) / log(smaller_share);
}

double significance_least_count(const double *counts, size_t count, double share_b,
				double error_rate)
{
	double smaller = share_b < 0.5 ? share_b : 1 - share_b;
	size_t steps[COUNT_STEPS + 1] = { 0 };
	size_t left = count;
	double most;
	int step = 0;

	if (smaller <= 0 || !count)
		return 0;
	/* Counts above `most` always suffice; smaller counts are sorted into steps. */
	most = least_of((double)count, smaller, error_rate);
	for (size_t i = 0; i < count; i++)
		steps[counts[i] < most ? (int)(counts[i] / most * COUNT_STEPS) : COUNT_STEPS]++;
	/* If fewer comparisons are left, the correction is milder, so fewer samples suffice. */
	while (step < COUNT_STEPS && left &&
	       most * step / COUNT_STEPS < least_of((double)left, smaller, error_rate))
		left -= steps[step++];
	return most * step / COUNT_STEPS;
}

static int compare_rows(const void *a, const void *b)
{
	const struct significance_row *left = a;
	const struct significance_row *right = b;

	if (left->p_value != right->p_value)
		return left->p_value < right->p_value ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

/* Moves rows with at most this p value to the front, and returns their number. */
static size_t part_rows(struct significance_row *rows, size_t count, double p_value)
{
	size_t below = 0;

	for (size_t i = 0; i < count; i++) {
		struct significance_row row = rows[i];

		if (row.p_value > p_value)
			continue;
		rows[i] = rows[below];
		rows[below++] = row;
	}
	return below;
}

void significance_correct(struct significance_row *rows, size_t count)
{
	double largest = 0;
	size_t sorted = part_rows(rows, count, CHANCE_P_VALUE);

	/*
	 * If even the smallest of the other p values is corrected to 1, so are all others, and
	 * their order does not matter.
	 */
	if (CHANCE_P_VALUE * (double)(count - sorted) < 1)
		sorted = count;
	if (sorted)
		qsort(rows, sorted, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i++) {
		double corrected =
			i < sorted ? probability(rows[i].p_value * (double)(count - i)) : 1;

		largest = corrected > largest ? corrected : largest;
		rows[i].p_value = largest;
	}
}
