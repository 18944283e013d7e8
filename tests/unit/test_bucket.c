/* SPDX-License-Identifier: MIT */
#include "profile/bucket.h"

#include <criterion/criterion.h>
#include <math.h>

Test(bucket, ranges)
{
	static const struct {
		const char *name;
		double low, high;
	} rows[] = {
		{ "7", 7, 8 },
		{ "2 -> 3", 2, 4 },
		{ "0 -> 1", 0, 2 },
		{ "[2, 4)", 2, 4 },
		{ "[1K, 2K)", 1024, 2048 },
		{ "[512, 1K)", 512, 1024 },
		{ "[1]", 1, 2 },
		{ "[0, 1]", 0, 2 },
		{ "(..., 0)", -INFINITY, 0 },
		{ "[5, ...)", 5, INFINITY },
		{ "[-4, -2)", -4, -2 },
		{ "-3", -3, -2 },
		{ "[1M, 2M)", 1 << 20, 1 << 21 },
	};
	static const char *const others[] = {
		"",        "main",   "[unknown]", "[2, 4",    "2 ->",        "2 -> x",
		"3 -> 2 ", "4 -> 2", "[4, 2)",    "(..., x)", "[2, 4) rest", "7 rest",
	};
	struct bucket_range range;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_assert(bucket_range(text_of(rows[i].name), &range), "%s", rows[i].name);
		cr_expect_eq(range.low, rows[i].low, "%s: %g", rows[i].name, range.low);
		cr_expect_eq(range.high, rows[i].high, "%s: %g", rows[i].name, range.high);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		cr_expect_not(bucket_range(text_of(others[i]), &range), "%s", others[i]);
}
