/* SPDX-License-Identifier: MIT */
#include "diff/diff_spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "profile/distribution.h"

/* Rows with fewer samples per run are not fitted, because their residuals are too coarse. */
#define COUNT_MIN 10
/* The largest variation that the fit tries. Runs of the same program differ far less. */
#define VARIATION_MAX   10
#define VARIATION_STEPS 60
/*
 * The 95th percentile of the normal distribution. Larger dispersions are limited to it
 * (winsorised), so that a few functions with bursts do not increase the variation of all others
 * (Huber 1964).
 */
#define WINSOR_Z 1.6449
/*
 * Practically infinite degrees of freedom: F is then a chi-squared variable divided by its degrees
 * of freedom.
 */
#define KNOWN_FREEDOM 2000
/* An F variable has a mean only with more than 2 degrees of freedom. */
#define WITHIN_FREEDOM_MIN 4
/*
 * The estimate of the prior's degrees of freedom has its own prior, which counts like
 * PRIOR_FUNCTIONS functions with PRIOR_FREEDOM degrees of freedom each.
 */
#define PRIOR_FUNCTIONS 10
#define PRIOR_FREEDOM   15
/*
 * Functions are assumed to vary alike unless a test at the 5% level shows otherwise. If they do
 * vary alike, the common variation counts as this many degrees of freedom.
 */
#define UNLIKE_TAIL   0.05
#define ALIKE_FREEDOM 60
/*
 * If only some functions have bursts, the common variation is too large for most others. Such
 * bursts are assumed if the share of functions in the lowest quarter of the distribution of F
 * exceeds a quarter by at least two standard deviations.
 */
#define LOW_SHARE      0.25
#define LOW_DEVIATIONS 2
/*
 * The maximum degrees of freedom for functions that do not vary alike, because the prior must allow
 * for bursts that happen not to be in these captures. In measurements, one comparison in six was
 * wrong with 7 degrees of freedom, and one in a hundred with 4.
 */
#define UNLIKE_FREEDOM_MAX 4
/* A function whose F is beyond this tail is judged only by its own runs. */
#define OUTLIER_TAIL 0.01
/* Avoids the logarithm of 0. */
#define F_MIN 1e-3

/* The variation of one row between runs. */
struct residuals {
	double dispersion; /* Pearson's statistic divided by its degrees of freedom */
	double freedom;
	double scale;     /* the factor m for an average run */
	double sum_scale; /* the factor m for the sums of both sides: size_in_effect */
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

/*
 * Adds the residuals of a side: the share in each run compared with the share in all runs of the
 * side.
 */
static void add_side(struct residuals *residuals, const struct diff_spread_runs *runs,
		     const double *counts, int side)
{
	double rate = rate_of(runs, counts, side);
	double rest = runs->has_shares ? 1 - rate : 1;
	size_t count = 0;

	/* Shares of 0 or 1 have no residuals. */
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
 * With runs of different sizes n, the share of a side varies by variation * sum(n^2) / sum(n)^2
 * between runs, and by 1 / sum(n) from counting. Returns the size of equally large runs for which
 * these two parts have the same ratio.
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

/* A row to which the model is fitted. */
struct fitted_row {
	struct residuals residuals;
	double within;
	double most;     /* F is limited to this value */
	double expected; /* mean of the limited F */
};

struct spread_fit {
	struct fitted_row *rows;
	size_t count;
	bool has_within; /* the dispersion within runs is known */
};

static struct fitted_row fit_row(const struct residuals *residuals,
				 const struct overdispersion *within)
{
	double freedom = residuals->freedom;
	double other =
		within->freedom > 0 ? fmax(within->freedom, WITHIN_FREEDOM_MIN) : KNOWN_FREEDOM;
	double variance = 2 / (9 * freedom);
	double root = 1 - variance + WINSOR_Z * sqrt(variance);
	/* Wilson and Hilferty 1931. */
	double most = root * root * root;

	return (struct fitted_row){
		.residuals = *residuals,
		.within = within->factor,
		.most = most,
		/* The mean of an F variable that is limited to `most`. */
		.expected = other / (other - 2) *
				    (1 - distribution_f_tail(most * freedom * (other - 2) /
								     ((freedom + 2) * other),
							     freedom + 2, other - 2)) +
			    most * distribution_f_tail(most, freedom, other),
	};
}

static double variance_of(const struct spread_fit *fit, size_t i, double variation)
{
	return fit->rows[i].within + fit->rows[i].residuals.scale * variation;
}

/* Returns a positive number if the rows vary by more than this variation explains. */
static double score(const struct spread_fit *fit, double variation)
{
	double sum = 0;

	for (size_t i = 0; i < fit->count; i++) {
		const struct fitted_row *row = &fit->rows[i];
		double variance = variance_of(fit, i, variation);

		sum += row->residuals.scale / variance *
		       (fmin(row->residuals.dispersion / variance, row->most) - row->expected);
	}
	return sum;
}

static double find_variation(const struct spread_fit *fit)
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

/*
 * Whether all functions vary alike, because none varies by more than chance can explain (Simes
 * 1986), and not too many vary much less.
 */
static bool are_alike(const struct spread_fit *fit, double variation)
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
	/* With time bins, `within` already includes bursts. */
	if (!fit->has_within)
		are_alike &= (double)low <= most_low_by_chance((double)fit->count);
	return are_alike;
}

/*
 * Estimates the prior's degrees of freedom from the moments of log F. The variance that F's own
 * degrees of freedom do not explain is due to the prior.
 */
static double find_prior_freedom(const struct spread_fit *fit, double variation)
{
	double sum = 0;
	double squares = 0;
	double chance = 0; /* mean variance of log F if functions vary alike */
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
	struct spread_fit fit = { .rows = memory_alloc(count, sizeof(*fit.rows)) };

	*spread = (struct diff_spread){ .runs = *runs };
	/* With one run per side, no row has a degree of freedom. */
	for (size_t i = 0; i < count; i++) {
		struct residuals residuals = find_residuals(runs, rows[i].counts);

		if (residuals.scale < COUNT_MIN || !(residuals.freedom > 0))
			continue;
		fit.has_within |= rows[i].within.freedom > 0;
		fit.rows[fit.count++] = fit_row(&residuals, &rows[i].within);
	}
	if (runs->count <= DIFF_SIDES) {
		spread->variation = runs->assumed_spread * runs->assumed_spread;
	} else {
		spread->variation = find_variation(&fit);
		spread->prior_freedom = find_prior_freedom(&fit, spread->variation);
	}
	memory_free(fit.rows);
}

/* Returns the prior's degrees of freedom if `within` is also an estimate (Satterthwaite 1946). */
static double freedom_with(double freedom, const struct overdispersion *within, double expected)
{
	double part = within->factor / expected;

	return within->freedom > 0 ? 1 / (1 / freedom + part * part / within->freedom) : freedom;
}

struct overdispersion diff_spread_overdispersion(const struct diff_spread *spread,
						 const struct diff_spread_row *row)
{
	struct residuals residuals = find_residuals(&spread->runs, row->counts);
	double prior = spread->prior_freedom;
	double within = row->within.factor;
	/* The expected dispersion of a run, and of the sums of both sides. */
	double expected = within + residuals.scale * spread->variation;
	double tested = within + residuals.sum_scale * spread->variation;
	double f = residuals.dispersion / expected;
	double all;

	if (!(prior > 0))
		return (struct overdispersion){ tested, row->within.freedom };
	prior = freedom_with(prior, &row->within, expected);
	all = residuals.freedom + prior;
	if (residuals.freedom > 0 &&
	    distribution_f_tail(f, residuals.freedom, prior) < OUTLIER_TAIL)
		return (struct overdispersion){ tested * fmax(f, 1), residuals.freedom };
	return (struct overdispersion){ tested * fmax(1, (f * residuals.freedom + prior) / all),
					all };
}
