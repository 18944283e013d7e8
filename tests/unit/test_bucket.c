/* SPDX-License-Identifier: MIT */
#include "profile/bucket.h"

#include <criterion/criterion.h>

#include "profile/frame_table.h"

/* Each sorts before all later ones. */
static const char *const sorted[] = {
	"#1",
	"(anonymous namespace)::f",
	"-",
	"-x",
	"(..., 0)",
	"[-10, -5)",
	"-7",
	"[-5, 0)",
	"0 -> 1",
	"0",
	"1",
	"2 -> 3",
	"7",
	"8 -> 15",
	"[10, 20)",
	"16 -> 31",
	"[512, 1K)",
	"1024 -> 2047",
	"[1K, 2K)",
	"4000",
	"[4K]",
	"[1M, 2M)",
	"[1048577, ...)",
	"[8E, 16E)",
	"9223372036854775809",
	"18446744073709551615 -> 18446744073709551616",
	"99999999999999999999999999",
	"0x10",
	"1 ->",
	"10 -> 20x",
	"2 - 3",
	"7x",
	"[1, 2) ",
	"[1, 2",
	"[1",
	"[",
	"[unknown]",
	"main",
};

Test(bucket, orders_names)
{
	for (size_t i = 0; i < ARRAY_SIZE(sorted); i++)
		for (size_t k = 0; k < ARRAY_SIZE(sorted); k++) {
			int order = frame_name_compare(text_of(sorted[i]), text_of(sorted[k]));

			cr_expect_eq((order > 0) - (order < 0), (i > k) - (i < k), "%s and %s",
				     sorted[i], sorted[k]);
		}
}
