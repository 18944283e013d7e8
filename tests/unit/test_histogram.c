/* SPDX-License-Identifier: MIT */
#include "histogram/histogram.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "histogram/quantile_shift.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

static const double shares[] = { 0.5, 0.9, 0.99, 0.999 };

static double uniform(struct random *random)
{
	return ((double)(random_u64(random) >> 11) + 0.5) * 0x1p-53;
}

/* A latency with a heavy tail: log-normal, median 100. */
static double draw(struct random *random, double factor)
{
	double normal = sqrt(-2 * log(uniform(random))) * cos(2 * M_PI * uniform(random));

	return factor * 100 * exp(1.2 * normal);
}

/* The quantile of the distribution itself. */
static double true_quantile(double share, double factor)
{
	static const double z[] = { 0, 1.2815515655446004, 2.3263478740408408, 3.0902323061678132 };

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		if (shares[i] == share)
			return factor * 100 * exp(1.2 * z[i]);
	return NAN;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Counts a value in a bucket of this width; 0: as an exact value; negative: in a power of two. */
static void count(struct histogram *histogram, double value, double width)
{
	double low = width < 0 ? exp2(floor(log2(value))) : floor(value / width) * width;

	if (!width)
		histogram_add(histogram, value, value, 1);
	else
		histogram_add(histogram, low, width < 0 ? 2 * low : low + width, 1);
}

Test(histogram, quantiles_are_in_the_bucket_of_the_raw_value)
{
	static const double widths[] = { -1, 0, 1, 50, 1000 };
	struct random random = { 3 };

	for (unsigned trial = 0; trial < 60; trial++) {
		double width = widths[trial % ARRAY_SIZE(widths)];
		size_t n = 1 + random_below(&random, trial < 20 ? 20 : 3000);
		double *values = memory_alloc(n, sizeof(*values));
		struct histogram histogram = { .count = 0 };

		for (size_t i = 0; i < n; i++) {
			values[i] = draw(&random, 1);
			count(&histogram, values[i], width);
		}
		qsort(values, n, sizeof(*values), compare);
		cr_assert(histogram_finish(&histogram));
		cr_expect_eq(histogram.count, n);
		for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
			/* In integers, as 0.999 * 1000 is not 999. */
			size_t rank = (n * (size_t)lround(shares[i] * 1000) + 999) / 1000;
			struct quantile quantile = histogram_quantile(&histogram, shares[i]);

			cr_expect(quantile.low <= values[rank - 1] &&
					  (values[rank - 1] < quantile.high || width == 0),
				  "%zu values, width %g, share %g: [%g, %g) without %g", n, width,
				  shares[i], quantile.low, quantile.high, values[rank - 1]);
			cr_expect(quantile.low <= quantile.value &&
				  quantile.value <= quantile.high);
			if (!width)
				cr_expect_eq(quantile.value, values[rank - 1]);
		}
		memory_free(values);
		histogram_deinit(&histogram);
	}
	assert_no_leaks();
}

Test(histogram, interpolates_and_keeps_open_buckets_open)
{
	struct histogram histogram = { .count = 0 };
	struct quantile quantile;

	histogram_add(&histogram, 8, INFINITY, 1);
	histogram_add(&histogram, 4, 8, 5);
	histogram_add(&histogram, 0, 2, 4);
	histogram_add(&histogram, 2, 4, 6);
	histogram_add(&histogram, 2, 4, 4);
	histogram_add(&histogram, 9, 10, 0);
	cr_assert(histogram_finish(&histogram));
	cr_expect_eq(histogram.buckets.count, 4);
	cr_expect_float_eq(histogram_quantile(&histogram, 0.5).value, 3.1, 1e-12);
	quantile = histogram_quantile(&histogram, 0.999);
	cr_expect_eq(quantile.value, 8);
	cr_expect(isinf(quantile.high));
	/* 20 values are too few for an upper bound of p99. */
	cr_expect(isinf(histogram_interval(&histogram, 0.99, 0.95).high));
	histogram_add(&histogram, 3, 5, 1);
	cr_expect_not(histogram_finish(&histogram), "overlap");
	histogram_deinit(&histogram);
}

/* The expected ranks are from exact sums of the binomial distribution. */
Test(histogram, intervals_are_order_statistics)
{
	static const struct {
		unsigned n;
		double share, low, high;
	} rows[] = {
		{ 10, 0.5, 2, 9 },    { 20, 0.5, 6, 15 },         { 100, 0.5, 40, 61 },
		{ 100, 0.9, 84, 96 }, { 50, 0.99, 48, INFINITY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct histogram histogram = { .count = 0 };
		struct quantile range;

		for (unsigned k = 1; k <= rows[i].n; k++)
			histogram_add(&histogram, k, k, 1);
		cr_assert(histogram_finish(&histogram));
		range = histogram_interval(&histogram, rows[i].share, 0.95);
		cr_expect_eq(range.low, rows[i].low, "%u, %g: %g", rows[i].n, rows[i].share,
			     range.low);
		cr_expect_eq(range.high, rows[i].high, "%u, %g: %g", rows[i].n, rows[i].share,
			     range.high);
		histogram_deinit(&histogram);
	}
}

static void simulate(struct random *random, size_t n, double factor, double width,
		     struct histogram *ret)
{
	*ret = (struct histogram){ .count = 0 };
	for (size_t i = 0; i < n; i++)
		count(ret, draw(random, factor), width);
	cr_assert(histogram_finish(ret));
}

/* docs/time.md states the rates. */
Test(histogram, intervals_contain_the_true_value)
{
	static const double widths[] = { 0, -1, 20 };
	static const size_t sizes[] = { 30, 300, 2000 };
	unsigned trials = 0, quantile_hits = 0, shift_hits = 0, exact_trials = 0, exact_hits = 0;
	struct random random = { 11 };

	for (unsigned trial = 0; trial < 360; trial++) {
		double width = widths[trial % 3];
		struct histogram before, after;

		simulate(&random, sizes[trial / 3 % 3], 1, width, &before);
		simulate(&random, sizes[trial / 9 % 3], 1.3, width, &after);
		for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
			double truth = true_quantile(shares[i], 1);
			struct quantile range = histogram_interval(&before, shares[i], 0.95);
			struct quantile_shift shift =
				quantile_shift_of(&before, &after, shares[i], 0.95);
			bool is_hit = range.low <= truth && truth <= range.high;

			trials++;
			quantile_hits += is_hit;
			exact_trials += !width;
			exact_hits += !width && is_hit;
			shift_hits += shift.low <= 0.3 && 0.3 <= shift.high;
			cr_expect(shift.low <= shift.change && shift.change <= shift.high);
		}
		histogram_deinit(&before);
		histogram_deinit(&after);
	}
	cr_expect_geq(exact_hits, exact_trials * 95 / 100 - 10);
	cr_expect_geq(quantile_hits, trials * 95 / 100);
	cr_expect_geq(shift_hits, trials * 95 / 100);
	assert_no_leaks();
}

/* The normal approximation begins where the exact computation still agrees. */
Test(histogram, many_values)
{
	struct histogram histogram = { .count = 0 };
	struct quantile range;

	for (unsigned i = 0; i < 1000; i++)
		histogram_add(&histogram, i, i + 1, 1000);
	cr_assert(histogram_finish(&histogram));
	range = histogram_interval(&histogram, 0.5, 0.95);
	/* The interval reaches 980 ranks to either side. */
	cr_expect_eq(range.low, 499);
	cr_expect_eq(range.high, 501);
	range = histogram_interval(&histogram, 0.999, 0.95);
	/* 62 ranks. */
	cr_expect_eq(range.low, 998);
	cr_expect_eq(range.high, 1000);
	histogram_deinit(&histogram);
}
