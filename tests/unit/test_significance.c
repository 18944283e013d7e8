/* SPDX-License-Identifier: MIT */
/* The expected numbers were computed in exact arithmetic, or are from printed tables. */
#include "diff/significance.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/attributes.h"
#include "profile/distribution.h"
#include "tests/support/random.h"

static void expect_near(double got, double expected, const char *what)
{
	cr_expect(fabs(got - expected) <= 1e-6 * expected + 1e-12, "%s: %.10g, not %.10g", what,
		  got, expected);
}

Test(significance, shares)
{
	static const struct {
		const char *what;
		double count_a, all_a, count_b, all_b, expected;
	} rows[] = {
		{ "equal", 100, 1000, 100, 1000, 1 },
		{ "two proportions", 3000, 10000, 3204, 10000, 0.0018183 },
		{ "nothing on either side", 0, 1000, 0, 1000, 1 },
		{ "everything on both", 1000, 1000, 500, 500, 1 },
		/* Twice C(10, 4) / C(20, 4). */
		{ "exact", 0, 10, 4, 10, 2 * 0.04334365325 },
		/* About 2 * (1/11)^4: all four samples are on the smaller side. */
		{ "rare on a small side", 0, 100000, 4, 10000, 0.00013653 },
		{ "no samples", 0, 0, 4, 10, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double p_value = distribution_student_tails(
			significance_of_shares(rows[i].count_a, rows[i].all_a, rows[i].count_b,
					       rows[i].all_b),
			0);

		cr_expect(fabs(p_value - rows[i].expected) <= 0.02 * rows[i].expected,
			  "%s: %.6g, not %.6g", rows[i].what, p_value, rows[i].expected);
	}
}

Test(significance, rates)
{
	/* A fair coin: twice the tail of ten throws with nine heads, and with five. */
	expect_near(distribution_student_tails(significance_of_rates(1, 9, 0.5), 0),
		    2 * 11 / 1024.0, "nine of ten");
	expect_near(distribution_student_tails(significance_of_rates(5, 5, 0.5), 0), 1,
		    "five of ten");
	expect_near(distribution_student_tails(significance_of_rates(0, 0, 0.5), 0), 1, "none");
	/* 1000 against 1100: z is 100 / sqrt(2100). */
	expect_near(distribution_student_tails(significance_of_rates(1000, 1100, 0.5), 0),
		    erfc(100 / sqrt(2100) / sqrt(2)), "many");
}

Test(significance, correction)
{
	static const double expected[] = { 0.03, 0.06, 0.06, 1 };
	struct significance_row rows[] = { { 0.03, 0 }, { 0.02, 1 }, { 0.0075, 2 }, { 1, 3 } };
	static const size_t order[] = { 2, 1, 0, 3 };

	significance_correct(rows, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		expect_near(rows[i].p_value, expected[i], "corrected");
		cr_expect_eq(rows[i].index, order[i]);
	}
}

static int compare_values(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

/* If many rows are noise, most of them are not sorted; the result is the same. */
Test(significance, correction_of_many)
{
	static const uint32_t counts[] = { 1, 40, 60, 1000 };
	struct random random = { .state = 1979 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct significance_row rows[1000];
		double values[1000];
		double drawn[1000];
		double largest = 0;

		for (size_t k = 0; k < counts[i]; k++) {
			drawn[k] = values[k] = random_below(&random, 1000) / 1000.0 /
					       (1 + random_below(&random, 2) * 1e5);
			rows[k] = (struct significance_row){ drawn[k], k };
		}
		qsort(values, counts[i], sizeof(*values), compare_values);
		significance_correct(rows, counts[i]);
		for (size_t k = 0; k < counts[i]; k++) {
			largest = fmax(largest, fmin(1, values[k] * (double)(counts[i] - k)));
			expect_near(rows[k].p_value, largest, "corrected");
			cr_expect(largest == 1 || drawn[rows[k].index] == values[k]);
		}
	}
}

Test(significance, what_cannot_be_significant_is_not_corrected_for)
{
	double counts[1003];

	for (size_t i = 0; i < 1000; i++)
		counts[i] = 1;
	counts[1000] = counts[1001] = counts[1002] = 500;
	/* Three tests are left: 2 * 0.5^least is 0.01 / 3. */
	cr_expect_float_eq(significance_least_count(counts, 1003, 0.5, 0.01), 9.23, 0.03);
}

/* Both sides are equal: of 2000 tests at 5 %, about 100 find a difference, and not many more. */
Test(significance, errors_are_as_rare_as_promised)
{
	static const uint32_t shares[] = { 4, 40, 400 };
	struct random random = { .state = 20260719 };

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		int errors = 0;

		for (int test = 0; test < 2000; test++) {
			double count[2] = { 0, 0 };

			for (int side = 0; side < 2; side++)
				for (int k = 0; k < 1000; k++)
					count[side] += random_below(&random, 1000) < shares[i];
			errors += distribution_student_tails(
					  significance_of_shares(count[0], 1000, count[1], 1000),
					  0) <= 0.05;
		}
		cr_expect_leq(errors, 130, "%d errors at a share of %u", errors, shares[i]);
	}
}
