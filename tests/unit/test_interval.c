/* SPDX-License-Identifier: MIT */
#include "profile/interval.h"

#include <criterion/criterion.h>

#include "base/memory.h"

/* What is looked up, in this order, and the sum and number of the intervals found. */
struct lookup {
	uint64_t offset;
	uint32_t ordinal;
	uint64_t sum_ns;
	size_t count;
};

Test(interval, found_by_place_in_any_order)
{
	static const struct interval unsorted[] = {
		{ 900, 0, 7, 0, INTERVAL_PLAIN, 0, 0, 0 },
		{ 100, 0, 80, 2, INTERVAL_RUN_QUEUE, 0, 0, 0 },
		{ 100, 0, 12, 2, INTERVAL_PLAIN, 0, 0, 0 },
		{ 100, 0, 5, 0, INTERVAL_PLAIN, 0, 0, 0 },
		{ 500, 0, 1000, 1, INTERVAL_PREEMPTED, 0, 0, 0 },
		{ UINT64_MAX, 0, 3, 0, INTERVAL_PLAIN, 0, 0, 0 },
	};
	static const struct lookup lookups[] = {
		{ 0, 0, 0, 0 },    { 100, 0, 5, 1 },    { 100, 1, 0, 0 }, { 100, 2, 92, 2 },
		{ 500, 0, 0, 0 },  { 500, 1, 1000, 1 }, { 900, 0, 7, 1 }, { UINT64_MAX, 0, 3, 1 },
		{ 100, 2, 92, 2 }, { 0, 0, 0, 0 },      { 900, 0, 7, 1 }, { 900, 0, 7, 1 },
	};
	struct intervals intervals = { 0 };
	size_t cursor = 0;

	for (size_t i = 0; i < ARRAY_SIZE(unsorted); i++)
		vec_push(&intervals, unsorted[i]);
	intervals_sort(&intervals);
	for (size_t i = 0; i < ARRAY_SIZE(lookups); i++) {
		struct sample_position place = { lookups[i].offset, lookups[i].ordinal, true };
		const struct interval *found;
		uint64_t sum_ns = 0;
		size_t count;

		found = intervals_find(&intervals, &place, &cursor, &count);
		for (size_t k = 0; k < count; k++)
			sum_ns += found[k].duration_ns;
		cr_expect_eq(count, lookups[i].count, "lookup %zu", i);
		cr_expect_eq(sum_ns, lookups[i].sum_ns, "lookup %zu", i);
	}
	vec_free(&intervals);
}

Test(interval, none)
{
	struct intervals intervals = { 0 };
	struct sample_position place = { 1, 0, true };
	size_t cursor = 0;
	size_t count = 1;

	intervals_sort(&intervals);
	cr_expect_null(intervals_find(&intervals, &place, &cursor, &count));
	cr_expect_eq(count, 0);
}

Test(interval, samples_of_one_place_are_numbered)
{
	struct sample_position place = { 0 };

	sample_position_next(&place, 0);
	cr_expect_eq(place.ordinal, 0);
	sample_position_next(&place, 0);
	cr_expect_eq(place.ordinal, 1);
	sample_position_next(&place, 64);
	cr_expect_eq(place.ordinal, 0);
}
