/* SPDX-License-Identifier: MIT */
/* The expected numbers are from printed tables, or follow from closed forms. */
#include "profile/distribution.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"

static void expect_near(double got, double expected, const char *what)
{
	cr_expect(fabs(got - expected) <= 1e-6 * fabs(expected), "%s: %.10g, not %.10g", what, got,
		  expected);
}

Test(distribution, tails)
{
	expect_near(distribution_normal_tails(1.959963985), 0.05, "normal");
	expect_near(distribution_student_tails(1.959963985, 0), 0.05, "no freedom is the normal");
	expect_near(distribution_student_tails(2.776445105, 4), 0.05, "Student");
	expect_near(distribution_student_tails(-2.776445105, 4), 0.05, "either side");
	expect_near(distribution_student_tails(100, 4), 5.996002e-08, "far out");
	cr_expect_eq(distribution_student_tails(0, 4), 1);
	cr_expect_eq(distribution_student_tails(INFINITY, 4), 0);
	expect_near(distribution_f_tail(7.559432158, 2, 10), 0.01, "F");
	expect_near(distribution_f_tail(30, 2, 4), 0.00390625, "F far out");
	cr_expect_eq(distribution_f_tail(0, 2, 10), 1);
}

Test(distribution, quantiles_are_where_tails_are)
{
	static const double tails[] = { 0.9, 0.05, 0.01, 1e-6, 1e-12 };
	static const double freedoms[] = { 0, 1, 2.5, 4, 64, 200 };

	expect_near(distribution_normal_quantile(0.01), 2.575829304, "normal");
	expect_near(distribution_student_quantile(0.01, 10), 3.169272673, "Student");
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++)
		for (size_t k = 0; k < ARRAY_SIZE(freedoms); k++)
			expect_near(distribution_student_tails(
					    distribution_student_quantile(tails[i], freedoms[k]),
					    freedoms[k]),
				    tails[i], "there and back");
	cr_expect_eq(distribution_student_quantile(1, 4), 0);
}

Test(distribution, derivatives_of_log_gamma)
{
	static const double values[] = { 0.01, 0.5, 1, 7.5, 30, 1000 };

	expect_near(distribution_digamma(1), -0.5772156649, "Euler's constant");
	expect_near(distribution_digamma(0.5), -1.963510026, "a half");
	expect_near(distribution_trigamma(1), M_PI * M_PI / 6, "a sixth of pi squared");
	expect_near(distribution_trigamma(0.5), M_PI * M_PI / 2, "half of it");
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		expect_near(distribution_trigamma_inverse(distribution_trigamma(values[i])),
			    values[i], "there and back");
}
