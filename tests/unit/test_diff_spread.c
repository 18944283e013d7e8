/* SPDX-License-Identifier: MIT */
/* The model of the spread between runs, fitted to counts that are simulated with fixed seeds. */
#include "diff/diff_spread.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "tests/support/random.h"

#define ROWS 60
#define RUNS 6
#define SIZE 100000.0

static const enum diff_side sides[RUNS] = { DIFF_BEFORE, DIFF_BEFORE, DIFF_BEFORE,
					    DIFF_AFTER,  DIFF_AFTER,  DIFF_AFTER };
static const double sizes[RUNS] = { SIZE, SIZE, SIZE, SIZE, SIZE, SIZE };

struct drawn {
	double counts[ROWS][RUNS];
	struct diff_spread_row rows[ROWS];
	struct diff_spread_runs runs;
};

static double normal(struct random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(random_u64(random) >> 11) / 9007199254740992.0;
	return sum;
}

/*
 * Draws rows of 0.5 % to 1.1 %, which vary from run to run by the variation. The first `bursting`
 * rows have the dispersion as well.
 */
static void draw(struct drawn *drawn, double variation, int bursting, double dispersion,
		 struct random *random)
{
	drawn->runs = (struct diff_spread_runs){ sides, sizes, RUNS, true, 0 };
	for (int row = 0; row < ROWS; row++) {
		double mean = SIZE * (0.005 + 0.0001 * row);
		double factor = row < bursting ? dispersion : 1;

		for (int run = 0; run < RUNS; run++)
			drawn->counts[row][run] = mean * (1 + variation * normal(random)) +
						  sqrt(mean * factor) * normal(random);
		drawn->rows[row] = (struct diff_spread_row){ drawn->counts[row], { 1, 0 } };
	}
}

Test(diff_spread, what_all_functions_have_in_common_is_learnt)
{
	static const struct {
		const char *what;
		double variation, least, most;
		int bursting;
		double freedom_least, freedom_most;
	} rows[] = {
		{ "as of independent samples", 0, 0, 0.02, 0, 60, 60 },
		{ "by 10 % from run to run", 0.1, 0.08, 0.12, 0, 60, 60 },
		{ "a fifth of them have bursts", 0, 0, 0.04, 12, 0.5, 4 },
		{ "both", 0.1, 0.08, 0.16, 12, 0.5, 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct random random = { .state = 11 + i };
		struct diff_spread spread;
		struct drawn drawn;

		draw(&drawn, rows[i].variation, rows[i].bursting, 400, &random);
		diff_spread_fit(&spread, &drawn.runs, drawn.rows, ROWS);
		cr_expect_geq(sqrt(spread.variation), rows[i].least, "%s: %g", rows[i].what,
			      sqrt(spread.variation));
		cr_expect_leq(sqrt(spread.variation), rows[i].most, "%s: %g", rows[i].what,
			      sqrt(spread.variation));
		cr_expect_geq(spread.prior_freedom, rows[i].freedom_least, "%s: %g", rows[i].what,
			      spread.prior_freedom);
		cr_expect_leq(spread.prior_freedom, rows[i].freedom_most, "%s: %g", rows[i].what,
			      spread.prior_freedom);
	}
}

Test(diff_spread, a_function_far_beyond_the_others_is_taken_as_it_was_found)
{
	static const double wild[RUNS] = { 500, 1500, 1000, 600, 1400, 1000 };
	static const double tame[RUNS] = { 1000, 1001, 999, 1000, 1000, 1000 };
	struct diff_spread_row row = { wild, { 1, 0 } };
	struct random random = { .state = 3 };
	struct diff_spread spread;
	struct overdispersion noise;
	struct drawn drawn;

	draw(&drawn, 0, 0, 1, &random);
	diff_spread_fit(&spread, &drawn.runs, drawn.rows, ROWS);
	noise = diff_spread_overdispersion(&spread, &row);
	cr_expect_float_eq(noise.factor, (500000 + 320000) / 990.0 / 4, 1, "%g", noise.factor);
	cr_expect_eq(noise.freedom, 4);
	/* No function's noise is estimated below that of chance. */
	row.counts = tame;
	noise = diff_spread_overdispersion(&spread, &row);
	cr_expect_geq(noise.factor, 1);
	cr_expect_lt(noise.factor, 1.2);
	cr_expect_eq(noise.freedom, 64);
}

Test(diff_spread, one_run_a_side_tells_nothing)
{
	static const double counts[] = { 100, 200 };
	static const enum diff_side two[] = { DIFF_BEFORE, DIFF_AFTER };
	struct diff_spread_runs runs = { two, sizes, 2, false, 0 };
	struct diff_spread_row row = { counts, { 2.5, 15 } };
	struct diff_spread spread;
	struct overdispersion noise;

	diff_spread_fit(&spread, &runs, &row, 1);
	noise = diff_spread_overdispersion(&spread, &row);
	cr_expect_float_eq(noise.factor, 2.5, 1e-12);
	cr_expect_eq(noise.freedom, 15);
	runs.assumed_spread = 0.1;
	diff_spread_fit(&spread, &runs, &row, 1);
	/* The mean is 150 samples. 10 % of it is 15; squared, this is 1.5 times the variance of
	 * chance, 150. */
	noise = diff_spread_overdispersion(&spread, &row);
	cr_expect_float_eq(noise.factor, 2.5 + 1.5, 1e-9, "%g", noise.factor);
}

/*
 * The variance of a share of 1 % in runs of these sizes, by the model and by the arithmetic of
 * means.
 */
Test(diff_spread, runs_of_other_lengths)
{
	static const double sizes_of[][RUNS] = {
		{ SIZE, SIZE, SIZE, SIZE, SIZE, SIZE },
		{ SIZE, SIZE, SIZE, SIZE, SIZE, 10 * SIZE },
		{ 10 * SIZE, SIZE, SIZE, SIZE, SIZE, SIZE },
		{ SIZE, SIZE, SIZE, SIZE, SIZE, 0.1 * SIZE },
	};
	static const enum diff_side five_one[RUNS] = { [RUNS - 1] = DIFF_AFTER };
	const double p = 0.01;
	const double variation = 0.05;

	for (size_t i = 0; i < ARRAY_SIZE(sizes_of); i++) {
		const double *own = sizes_of[i];
		struct diff_spread spread = {
			.runs = { five_one, own, RUNS, true, 0 },
			.variation = variation * variation,
			.prior_freedom = 60,
		};
		struct diff_spread_row row = { NULL, { 1, 0 } };
		double counts[RUNS];
		double before = 0;
		double before_squares = 0;
		double counting;
		double wanted;
		double found;

		for (int run = 0; run < RUNS; run++)
			counts[run] = p * own[run];
		for (int run = 0; run < RUNS - 1; run++) {
			before += own[run];
			before_squares += own[run] * own[run];
		}
		row.counts = counts;
		counting = p * (1 - p) * (1 / before + 1 / own[RUNS - 1]);
		wanted = counting + variation * variation * p * p * (1 - p) * (1 - p) *
					    (before_squares / (before * before) + 1);
		found = diff_spread_overdispersion(&spread, &row).factor * counting;
		cr_expect_float_eq(found / wanted, 1, 1e-6, "%zu: %g, not %g", i, found, wanted);
	}
}

/* An estimate from few bursts has few degrees of freedom. */
Test(diff_spread, dispersion_in_runs_is_an_estimate_too)
{
	static const double counts[RUNS] = { 1000, 1001, 999, 1000, 1000, 1000 };
	struct diff_spread spread = { .runs = { sides, sizes, RUNS, true, 0 },
				      .prior_freedom = 60 };
	struct diff_spread_row row = { counts, { 50, 8 } };

	cr_expect_lt(diff_spread_overdispersion(&spread, &row).freedom, 4 + 8);
	row.within = (struct overdispersion){ 1, 0 };
	cr_expect_eq(diff_spread_overdispersion(&spread, &row).freedom, 4 + 60);
	row.within = (struct overdispersion){ 1, 1000 };
	cr_expect_gt(diff_spread_overdispersion(&spread, &row).freedom, 4 + 55);
}

/*
 * Half of the functions vary by 60 %, the others only by chance: two runs cannot show a common
 * spread.
 */
Test(diff_spread, functions_of_two_kinds_are_not_alike)
{
	static const enum diff_side two_two[] = { DIFF_BEFORE, DIFF_BEFORE, DIFF_AFTER,
						  DIFF_AFTER };
	struct random random = { .state = 8 };
	struct diff_spread spread;
	struct drawn drawn;

	for (int pair = 0; pair < 20; pair++) {
		draw(&drawn, 0, 0, 1, &random);
		for (int row = 0; row < ROWS / 2; row++)
			for (int run = 0; run < 4; run++)
				drawn.counts[row][run] *= fmax(0.1, 1 + 0.6 * normal(&random));
		drawn.runs = (struct diff_spread_runs){ two_two, sizes, 4, true, 0 };
		diff_spread_fit(&spread, &drawn.runs, drawn.rows, ROWS);
		cr_expect_leq(spread.prior_freedom, 4, "pair %d: %g", pair, spread.prior_freedom);
	}
}

/* One run against three leaves two degrees of freedom; a side without samples adds none. */
Test(diff_spread, sides_of_unlike_size)
{
	static const enum diff_side one_three[] = { DIFF_BEFORE, DIFF_AFTER, DIFF_AFTER,
						    DIFF_AFTER };
	static const double counts[] = { 1000, 100, 1000, 1900 };
	static const double gone[] = { 1000, 0, 0, 0 };
	struct diff_spread_runs runs = { one_three, sizes, 4, true, 0 };
	struct diff_spread_row rows[] = { { counts, { 1, 0 } }, { gone, { 1, 0 } } };
	struct diff_spread spread;

	diff_spread_fit(&spread, &runs, rows, 1);
	cr_expect_gt(spread.variation, 0.1);
	diff_spread_fit(&spread, &runs, rows + 1, 1);
	cr_expect_eq(spread.variation, 0);
	cr_expect_eq(diff_spread_overdispersion(&spread, rows + 1).freedom, spread.prior_freedom);
}
