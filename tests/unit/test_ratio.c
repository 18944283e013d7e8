/* SPDX-License-Identifier: MIT */
#include "base/arithmetic.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/attributes.h"
#include "tests/support/random.h"

static void expect_ratio(uint64_t part, uint64_t factor, uint64_t whole, uint64_t quotient,
			 uint64_t remainder)
{
	const struct ratio ratios[] = { ratio_of(part, factor, whole),
					ratio_by_bits(part, factor, whole) };

	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++) {
		cr_expect_eq(ratios[i].quotient, quotient,
			     "%" PRIu64 " * %" PRIu64 " / %" PRIu64 ", way %zu", part, factor,
			     whole, i);
		cr_expect_eq(ratios[i].remainder, remainder,
			     "%" PRIu64 " * %" PRIu64 " / %" PRIu64 ", way %zu", part, factor,
			     whole, i);
	}
}

Test(ratio, known_ones)
{
	static const struct {
		uint64_t part;
		uint64_t factor;
		uint64_t whole, quotient, remainder;
	} rows[] = {
		{ 0, 1200, 7, 0, 0 },
		{ 7, 0, 7, 0, 0 },
		{ 1, 10000, 3, 3333, 1 },
		{ 2, 10000, 3, 6666, 2 },
		{ 22, 7, 5, 30, 4 },
		{ UINT64_MAX, 1200, UINT64_MAX, 1200, 0 },
		{ UINT64_MAX, UINT32_MAX, UINT64_MAX, UINT32_MAX, 0 },
		{ UINT64_MAX - 1, UINT32_MAX, UINT64_MAX, UINT32_MAX - 1, UINT64_MAX - UINT32_MAX },
		{ 1ull << 63, 2, UINT64_MAX, 1, 1 },
		{ UINT64_MAX, 2, 1, UINT64_MAX - 1, 0 },
		{ UINT64_MAX, 50000000000, 100000000000, UINT64_MAX / 2, 50000000000 },
		{ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_ratio(rows[i].part, rows[i].factor, rows[i].whole, rows[i].quotient,
			     rows[i].remainder);
}

/* quotient * whole + remainder is part * factor modulo 2^64, for all numbers. */
Test(ratio, random_ones)
{
	struct random random = { 7 };

	for (int i = 0; i < 100000; i++) {
		uint64_t part = random_u64(&random) >> random_below(&random, 64);
		uint64_t whole = (random_u64(&random) >> random_below(&random, 64)) | 1;
		uint64_t factor = random_u64(&random) >> random_below(&random, 64);
		struct ratio one = ratio_of(part, factor, whole);
		struct ratio two = ratio_by_bits(part, factor, whole);

		cr_assert_eq(one.quotient, two.quotient);
		cr_assert_eq(one.remainder, two.remainder);
		cr_assert_lt(one.remainder, whole);
		cr_assert_eq(one.quotient * whole + one.remainder, part * factor);
	}
}

Test(ratio, round_numbers)
{
	static const uint64_t rows[][2] = {
		{ 0, 1 },
		{ 1, 1 },
		{ 2, 2 },
		{ 3, 5 },
		{ 6, 10 },
		{ 10, 10 },
		{ 11, 20 },
		{ 21, 50 },
		{ 51, 100 },
		{ 999, 1000 },
		{ 5000000000000000001, 10000000000000000000u },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(round_number_from(rows[i][0]), rows[i][1], "%" PRIu64, rows[i][0]);
}
