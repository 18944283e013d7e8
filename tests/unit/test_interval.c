/* SPDX-License-Identifier: MIT */
#include "profile/interval.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "tests/support/random.h"

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
	struct intervals *list = &intervals;
	size_t cursor = 0;

	for (size_t i = 0; i < ARRAY_SIZE(unsorted); i++)
		vec_push(&intervals, unsorted[i]);
	intervals_sort(&list, 1, 2, &intervals);
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
	struct intervals *list = &intervals;
	struct sample_position place = { 1, 0, true };
	size_t cursor = 0;
	size_t count = 1;

	intervals_sort(&list, 1, 2, &intervals);
	cr_expect_null(intervals_find(&intervals, &place, &cursor, &count));
	cr_expect_eq(count, 0);
}

#define LISTS       3
#define LIST_LENGTH 20000u

/* Most have distinct offsets; some share one, and then differ in ordinal, mark or time. */
Test(interval, lists_are_joined_and_sorted)
{
	static const uint64_t offset_ends[] = { 1, 100, UINT64_MAX };
	struct random random = { 7 };

	for (size_t end = 0; end < ARRAY_SIZE(offset_ends); end++) {
		struct intervals lists[LISTS] = { { 0 } };
		struct intervals *pointers[] = { &lists[0], &lists[1], &lists[2] };
		uint64_t sum_ns = 0;

		for (uint32_t i = 0; i < LISTS * LIST_LENGTH; i++) {
			struct interval interval = {
				.offset = random_u64(&random) % offset_ends[end],
				.ordinal = random_below(&random, 4),
				.mark = (uint8_t)random_below(&random, 2),
				.begin_ns = random_below(&random, 1000),
				.duration_ns = i,
			};

			vec_push(&lists[i % LISTS], interval);
			sum_ns += i;
		}
		intervals_sort(pointers, LISTS, 2, &lists[1]);
		cr_assert_eq(lists[1].count, LISTS * LIST_LENGTH);
		for (size_t i = 0; i < lists[1].count; i++) {
			const struct interval *at = &lists[1].at[i];

			sum_ns -= at->duration_ns;
			if (!i)
				continue;
			cr_assert_leq(at[-1].offset, at->offset);
			if (at[-1].offset < at->offset)
				continue;
			cr_assert_leq(at[-1].ordinal, at->ordinal);
			if (at[-1].ordinal < at->ordinal)
				continue;
			cr_assert_leq(at[-1].mark, at->mark);
			cr_assert(at[-1].mark < at->mark || at[-1].begin_ns <= at->begin_ns);
		}
		cr_expect_eq(sum_ns, 0);
		vec_free(&lists[1]);
	}
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
