/* SPDX-License-Identifier: MIT */
#include "diff/diff_spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "profile/distribution.h"

/* Rows below so many samples a run have too coarse residuals to learn from. */
#define COUNT_MIN 10
/* Runs that differ by more than ten times what they have are no runs of one program. */
#define VARIATION_MAX   10
#define VARIATION_STEPS 60
/* Functions that vary by more than chance lets one in twenty count as that one, so that some with bursts do
 * not pass for the variation of all (Huber 1964). */
#define WINSOR_Z 1.6449
/* As good as infinitely many: F is chi-squared over its degrees of freedom then. */
#define KNOWN_FREEDOM 2000
/* Of fewer degrees an F variable has hardly a mean. */
#define WITHIN_FREEDOM_MIN 4
/* What is known before any function was looked at: as of so many functions of this prior freedom. */
#define PRIOR_FUNCTIONS 10
#define PRIOR_FREEDOM   15
/* Functions are alike, and as sure of each other as so many degrees, unless some vary by more than chance
 * lets any of them in one comparison out of twenty. */
#define UNLIKE_TAIL   0.05
#define ALIKE_FREEDOM 60
/* Where some have bursts and most have none, what they have in common is too much for most: more than this share of
 * them, and twice its standard deviation, has an F below that of the lowest quarter. */
#define LOW_SHARE      0.25
#define LOW_DEVIATIONS 2
/* Otherwise some have bursts that most have not, and the prior must leave room for those that these
 * captures show for the first time: with 7 degrees, one comparison in six was wrong, with 4 one in a hundred. */
#define UNLIKE_FREEDOM_MAX 4
/* F beyond what chance exceeds once in a hundred times is the function's own. */
#define OUTLIER_TAIL 0.01
/* The logarithm of an F of 0 would be worth any number of others. */
#define F_MIN 1e-3

/* What the runs say of one row. */
struct residuals {
	double dispersion; /* Pearson's statistic over freedom */
	double freedom;
	double scale;     /* m, of a run on average */
	double sum_scale; /* m, of runs that would differ as those of both sides together do */
};

static double rate_of(const struct diff_spread_runs *runs, const double *counts, int side)
{
	double count = 0;
	double size = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (side == DIFF_SIDES || (int)runs->side[i] == side) {
			count += counts[i];
			size += runs->size[i];
		}
	return size > 0 ? count / size : 0;
}

/* Of one side, each run around the share of all of them. */
static void add_side(struct residuals *residuals, const struct diff_spread_runs *runs,
		     const double *counts, int side)
{
	double rate = rate_of(runs, counts, side);
	double rest = runs->has_shares ? 1 - rate : 1;
	size_t count = 0;

	/* A side that has all or nothing of something cannot differ. */
	if (!(rate > 0) || !(rest > 0))
		return;
	for (size_t i = 0; i < runs->count; i++) {
		double expected = rate * runs->size[i];

		if ((int)runs->side[i] != side || !(expected > 0))
			continue;
		residuals->dispersion +=
			(counts[i] - expected) * (counts[i] - expected) / (expected * rest);
		count++;
	}
	residuals->freedom += (double)(count ? count - 1 : 0);
}

/*
 * What runs have in common by chance, and what a side has by counting, add up otherwise where runs are of unlike
 * sizes n: a side's share varies by variation * sum(n^2) / sum(n)^2, and by 1 / sum(n). The size that all runs
 * would have to be of for the two to be in the same proportion.
 */
static double size_in_effect(const struct diff_spread_runs *runs)
{
	double sum[DIFF_SIDES] = { 0 };
	double squares[DIFF_SIDES] = { 0 };
	double variation = 0;
	double counting = 0;

	for (size_t i = 0; i < runs->count; i++) {
		sum[runs->side[i]] += runs->size[i];
		squares[runs->side[i]] += runs->size[i] * runs->size[i];
	}
	for (int side = 0; side < DIFF_SIDES; side++) {
		if (!(sum[side] > 0))
			continue;
		variation += squares[side] / (sum[side] * sum[side]);
		counting += 1 / sum[side];
	}
	return counting > 0 ? variation / counting : 0;
}

static struct residuals find_residuals(const struct diff_spread_runs *runs, const double *counts)
{
	struct residuals residuals = { 0 };
	double rate = rate_of(runs, counts, DIFF_SIDES);
	double rest = runs->has_shares ? fmax(1 - rate, 0) : 1;
	double size = 0;

	residuals.sum_scale = rate * size_in_effect(runs) * rest;
	for (int side = 0; side < DIFF_SIDES; side++)
		add_side(&residuals, runs, counts, side);
	if (residuals.freedom > 0)
		residuals.dispersion /= residuals.freedom;
	for (size_t i = 0; i < runs->count; i++)
		size += runs->size[i] / (double)runs->count;
	residuals.scale = rate * size * rest;
	return residuals;
}

/* A row that is learnt from. */
struct learnt {
	struct residuals residuals;
	double within;
	double most;     /* F counts as no more than that */
	double expected; /* of F, so cut off */
};

struct fit {
	struct learnt *rows;
	size_t count;
	bool has_within; /* dispersions in runs are known */
};

static struct learnt learn(const struct residuals *residuals, const struct diff_test_noise *within)
{
	double freedom = residuals->freedom;
	double other =
		within->freedom > 0 ? fmax(within->freedom, WITHIN_FREEDOM_MIN) : KNOWN_FREEDOM;
	double variance = 2 / (9 * freedom);
	double root = 1 - variance + WINSOR_Z * sqrt(variance);
	/* Wilson and Hilferty 1931. */
	double most = root * root * root;

	return (struct learnt){
		.residuals = *residuals,
		.within = within->factor,
		.most = most,
		/* The mean of an F variable below most, and most for what is above. */
		.expected = other / (other - 2) *
				    (1 - distribution_f_tail(most * freedom * (other - 2) /
								     ((freedom + 2) * other),
							     freedom + 2, other - 2)) +
			    most * distribution_f_tail(most, freedom, other),
	};
}

static double variance_of(const struct fit *fit, size_t i, double variation)
{
	return fit->rows[i].within + fit->rows[i].residuals.scale * variation;
}

/* Above 0 where the rows vary by more than so much variation explains. */
static double score(const struct fit *fit, double variation)
{
	double sum = 0;

	for (size_t i = 0; i < fit->count; i++) {
		const struct learnt *row = &fit->rows[i];
		double variance = variance_of(fit, i, variation);

		sum += row->residuals.scale / variance *
		       (fmin(row->residuals.dispersion / variance, row->most) - row->expected);
	}
	return sum;
}

static double find_variation(const struct fit *fit)
{
	double low = 0;
	double high = VARIATION_MAX;

	if (!(score(fit, 0) > 0))
		return 0;
	for (int i = 0; i < VARIATION_STEPS; i++) {
		double middle = (low + high) / 2;

		if (score(fit, middle) > 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static double most_low_by_chance(double count)
{
	return LOW_SHARE * count + LOW_DEVIATIONS * sqrt(LOW_SHARE * (1 - LOW_SHARE) * count);
}

/* Whether no function's runs differ by more than those of all do (Simes 1986), nor most by much less. */
static bool are_alike(const struct fit *fit, double variation)
{
	double *tails = memory_alloc(fit->count, sizeof(*tails));
	bool are_alike = true;
	size_t low = 0;

	for (size_t i = 0; i < fit->count; i++)
		tails[i] = distribution_f_tail(fit->rows[i].residuals.dispersion /
						       variance_of(fit, i, variation),
					       fit->rows[i].residuals.freedom, ALIKE_FREEDOM);
	if (fit->count)
		qsort(tails, fit->count, sizeof(*tails), compare_doubles);
	for (size_t i = 0; i < fit->count; i++) {
		are_alike &= tails[i] > UNLIKE_TAIL * (double)(i + 1) / (double)fit->count;
		low += tails[i] > 1 - LOW_SHARE;
	}
	memory_free(tails);
	/* Blocks of time tell of bursts themselves. */
	if (!fit->has_within)
		are_alike &= (double)low <= most_low_by_chance((double)fit->count);
	return are_alike;
}

/* From the moments of log F: what varies by more than its degrees of freedom explain, varies by its prior's. */
static double find_prior_freedom(const struct fit *fit, double variation)
{
	double sum = 0;
	double squares = 0;
	double chance = 0; /* what log F varies by where functions are alike, on average */
	double excess;

	if (are_alike(fit, variation))
		return ALIKE_FREEDOM;
	for (size_t i = 0; i < fit->count; i++) {
		double half = fit->rows[i].residuals.freedom / 2;
		double f = fit->rows[i].residuals.dispersion / variance_of(fit, i, variation);
		double centred = log(fmax(f, F_MIN)) - distribution_digamma(half) + log(half);

		sum += centred;
		squares += centred * centred;
		chance += distribution_trigamma(half);
	}
	chance /= (double)fit->count;
	excess = (fmax(squares - sum * sum / (double)fit->count, 0) +
		  PRIOR_FUNCTIONS * (chance + distribution_trigamma(PRIOR_FREEDOM / 2.0))) /
			 ((double)fit->count - 1 + PRIOR_FUNCTIONS) -
		 chance;
	if (excess <= distribution_trigamma(UNLIKE_FREEDOM_MAX / 2.0))
		return UNLIKE_FREEDOM_MAX;
	return 2 * distribution_trigamma_inverse(excess);
}

void diff_spread_fit(struct diff_spread *spread, const struct diff_spread_runs *runs,
		     const struct diff_spread_row *rows, size_t count)
{
	struct fit fit = { .rows = memory_alloc(count, sizeof(*fit.rows)) };

	*spread = (struct diff_spread){ .runs = *runs };
	/* With one run a side no row has a degree of freedom. */
	for (size_t i = 0; i < count; i++) {
		struct residuals residuals = find_residuals(runs, rows[i].counts);

		if (residuals.scale < COUNT_MIN || !(residuals.freedom > 0))
			continue;
		fit.has_within |= rows[i].within.freedom > 0;
		fit.rows[fit.count++] = learn(&residuals, &rows[i].within);
	}
	if (runs->count <= DIFF_SIDES) {
		spread->variation = runs->assumed_spread * runs->assumed_spread;
	} else {
		spread->variation = find_variation(&fit);
		spread->prior_freedom = find_prior_freedom(&fit, spread->variation);
	}
	memory_free(fit.rows);
}

/* The degrees of freedom that are left of what is expected, where within is an estimate too (Satterthwaite 1946). */
static double freedom_with(double freedom, const struct diff_test_noise *within, double expected)
{
	double part = within->factor / expected;

	return within->freedom > 0 ? 1 / (1 / freedom + part * part / within->freedom) : freedom;
}

struct diff_test_noise diff_spread_noise(const struct diff_spread *spread,
					 const struct diff_spread_row *row)
{
	struct residuals residuals = find_residuals(&spread->runs, row->counts);
	double prior = spread->prior_freedom;
	double within = row->within.factor;
	/* Of a run, and of the sides. */
	double expected = within + residuals.scale * spread->variation;
	double tested = within + residuals.sum_scale * spread->variation;
	double f = residuals.dispersion / expected;
	double all;

	if (!(prior > 0))
		return (struct diff_test_noise){ tested, row->within.freedom };
	prior = freedom_with(prior, &row->within, expected);
	all = residuals.freedom + prior;
	if (residuals.freedom > 0 &&
	    distribution_f_tail(f, residuals.freedom, prior) < OUTLIER_TAIL)
		return (struct diff_test_noise){ tested * fmax(f, 1), residuals.freedom };
	return (struct diff_test_noise){ tested * fmax(1, (f * residuals.freedom + prior) / all),
					 all };
}
