/* SPDX-License-Identifier: MIT */
#include "base/quantile.h"

#include <criterion/criterion.h>

/* A quantile is a number that occurred. */
Test(quantile, of_ten)
{
	uint64_t numbers[] = { 10, 2, 9, 4, 5, 7, 6, 8, 3, 1 };

	quantile_sort(numbers, 10);
	cr_expect_eq(quantile_of(numbers, 10, 0.0), 1);
	cr_expect_eq(quantile_of(numbers, 10, 0.5), 5);
	cr_expect_eq(quantile_of(numbers, 10, 0.51), 6);
	cr_expect_eq(quantile_of(numbers, 10, 0.9), 9);
	cr_expect_eq(quantile_of(numbers, 10, 0.99), 10);
	cr_expect_eq(quantile_of(numbers, 10, 1.0), 10);
}

Test(quantile, of_few)
{
	uint64_t number = 7;

	quantile_sort(NULL, 0);
	cr_expect_eq(quantile_of(NULL, 0, 0.5), 0);
	cr_expect_eq(quantile_of(&number, 1, 0.99), 7);
}
