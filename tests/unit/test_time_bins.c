/* SPDX-License-Identifier: MIT */
#include "profile/time_bins.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "tests/support/random.h"

#define SAMPLES 4000

/*
 * The time of a sample: one each millisecond, with a pause after the first quarter; at most limit.
 */
static uint64_t time_of(uint32_t i, uint64_t limit)
{
	uint64_t time_ns =
		(uint64_t)i * 1000000 + (i > SAMPLES / 4 ? (uint64_t)60 * 1000000000 : 0);

	return time_ns < limit ? time_ns : limit;
}

static void expect_same(const struct time_bins *a, const struct time_bins *b)
{
	cr_expect_eq(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++)
		cr_expect_eq(a->until_ns[i], b->until_ns[i], "bin %u", i);
}

Test(time_bins, all_have_about_as_many_samples)
{
	struct time_histogram *histogram = memory_zalloc(1, sizeof(*histogram));
	uint32_t counts[TIME_BINS] = { 0 };
	struct time_bins bins;

	for (uint32_t i = 0; i < SAMPLES; i++)
		time_histogram_add(histogram, 7000000000 + time_of(i, UINT64_MAX), 1);
	time_bins_make(&bins, histogram);
	cr_assert_eq(bins.count, TIME_BINS);
	for (uint32_t i = 0; i < SAMPLES; i++)
		counts[time_bins_find(&bins, 7000000000 + time_of(i, UINT64_MAX))]++;
	/* The counts are not exact, because a bucket is about 16 ms. */
	for (uint32_t i = 0; i < TIME_BINS; i++)
		cr_expect(counts[i] >= 225 && counts[i] <= 275, "%u in bin %u", counts[i], i);
	cr_expect_eq(time_bins_find(&bins, 0), 0);
	cr_expect_eq(time_bins_find(&bins, UINT64_MAX), TIME_BINS - 1);
	memory_free(histogram);
}

/* In any order, and for any distribution to workers. */
Test(time_bins, depend_on_times_alone)
{
	struct time_histogram *all = memory_zalloc(1, sizeof(*all));
	struct time_histogram *parts = memory_zalloc(3, sizeof(*parts));
	struct time_histogram *merged = memory_zalloc(1, sizeof(*merged));
	struct random random = { .state = 5 };
	struct time_bins bins;
	struct time_bins other;

	for (uint32_t i = SAMPLES; i-- > 0;) {
		time_histogram_add(all, time_of(i, UINT64_MAX), 2);
		time_histogram_add(&parts[random_below(&random, 2)], time_of(i, UINT64_MAX), 2);
	}
	for (int i = 0; i < 3; i++)
		time_histogram_merge(merged, &parts[i]);
	time_bins_make(&bins, all);
	time_bins_make(&other, merged);
	cr_expect_eq(all->total, 2 * SAMPLES);
	cr_expect_eq(merged->total, all->total);
	cr_expect_eq(merged->shift, all->shift);
	expect_same(&bins, &other);
	memory_free(all);
	memory_free(parts);
	memory_free(merged);
}

Test(time_bins, there_are_none)
{
	static const struct {
		const char *what;
		uint32_t count;
		uint64_t limit;
	} rows[] = {
		{ "no samples", 0, UINT64_MAX },
		{ "too few", TIME_BINS * TIME_BIN_SAMPLES - 1, UINT64_MAX },
		{ "all at once", SAMPLES, 0 },
		{ "nearly so", SAMPLES, 3000000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct time_histogram *histogram = memory_zalloc(1, sizeof(*histogram));
		struct time_bins bins;

		for (uint32_t k = 0; k < rows[i].count; k++)
			time_histogram_add(histogram, time_of(k, rows[i].limit), 1);
		time_bins_make(&bins, histogram);
		cr_expect_eq(bins.count, 0, "%s", rows[i].what);
		cr_expect_eq(time_bins_find(&bins, 1000), 0);
		memory_free(histogram);
	}
}

/* Times in the first and the last possible bin, and none between. */
Test(time_bins, times_as_far_apart_as_can_be)
{
	struct time_histogram *histogram = memory_zalloc(1, sizeof(*histogram));

	time_histogram_add(histogram, UINT64_MAX, 3);
	time_histogram_add(histogram, 0, UINT64_MAX);
	time_histogram_add(histogram, UINT64_MAX / 2, 0);
	cr_expect_eq(histogram->total, UINT64_MAX);
	cr_expect_lt(histogram->last - histogram->first, TIME_BUCKETS);
	cr_expect_eq(histogram->counts[histogram->last % TIME_BUCKETS], 3);
	memory_free(histogram);
}

Test(time_bins, equal_bins_begin_at_multiples_of_their_width)
{
	struct time_histogram *histogram = memory_zalloc(1, sizeof(*histogram));
	struct time_bins bins;

	for (uint32_t i = 0; i < SAMPLES; i++)
		time_histogram_add(histogram, 7000000000 + (uint64_t)i * 1000000, 1);
	time_bins_make_equal(&bins, histogram, 3000000, TIME_EQUAL_BINS_MAX);
	cr_expect_eq(bins.width_ns, 5000000);
	cr_expect_eq(bins.first_ns % bins.width_ns, 0);
	cr_expect_leq(bins.first_ns, 7000000000);
	cr_expect_eq(time_bins_find(&bins, bins.first_ns), 0);
	cr_expect_eq(time_bins_find(&bins, bins.first_ns + bins.width_ns), 1);
	cr_expect_lt(time_bins_find(&bins, 7000000000 + (SAMPLES - 1) * 1000000ull), bins.count);
	cr_expect_lt(time_bins_find(&bins, UINT64_MAX), bins.count);
	memory_free(histogram);
}

Test(time_bins, equal_bins_of_any_times_are_few)
{
	static const uint64_t times[][2] = {
		{ 0, UINT64_MAX },
		{ 5, 5 },
		{ UINT64_MAX - 1, UINT64_MAX },
		{ 0, 86400000000000 },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct time_histogram *histogram = memory_zalloc(1, sizeof(*histogram));
		struct time_bins bins;

		time_histogram_add(histogram, times[i][0], 1);
		time_histogram_add(histogram, times[i][1], 1);
		time_bins_make_equal(&bins, histogram, 1, TIME_EQUAL_BINS_MAX);
		cr_expect(bins.count >= 1 && bins.count <= TIME_EQUAL_BINS_MAX + 1, "%u",
			  bins.count);
		cr_expect_lt(time_bins_find(&bins, times[i][0]), bins.count);
		cr_expect_lt(time_bins_find(&bins, times[i][1]), bins.count);
		memory_free(histogram);
	}
}

/*
 *     bins     |   0   |   1   |   2   |   3
 *     time    100     110     120     130     140
 *     windows       [108 .. 112)        [135 .. )
 */
Test(time_bins, intervals_are_divided)
{
	const struct time_bins bins = { .count = 4, .parts = 1, .width_ns = 10, .first_ns = 100 };
	struct time_window rows[] = { { 108, 112 }, { 135, 1000 } };
	const struct time_windows windows = {
		.rows = { rows, ARRAY_SIZE(rows), ARRAY_SIZE(rows) },
		.is_limited = true,
	};
	static const struct {
		uint64_t from_ns, left_ns;
		bool is_limited;
		uint64_t parts[4];
	} intervals[] = {
		{ 105, 3, false, { 3 } },
		{ 105, 20, false, { 5, 10, 5 } },
		{ 90, 15, false, { 15 } },             /* it began before the first bin */
		{ 125, 500, false, { 0, 0, 5, 495 } }, /* it ends after the last bin */
		{ 125, 0, false, { 0 } },
		{ 100, 9, true, { 2, 2, 0, 5 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++) {
		uint64_t from_ns = intervals[i].from_ns, left_ns = intervals[i].left_ns;
		uint64_t parts[4] = { 0 };
		uint32_t bin;

		do {
			uint64_t part_ns =
				time_bins_part(&bins, intervals[i].is_limited ? &windows : NULL,
					       &from_ns, left_ns, &bin);

			cr_assert_lt(bin, 4);
			cr_assert_eq(parts[bin], 0, "interval %zu: a bin has one part", i);
			parts[bin] = part_ns;
			left_ns -= part_ns;
		} while (left_ns);
		cr_expect_eq(memcmp(parts, intervals[i].parts, sizeof(parts)), 0, "interval %zu",
			     i);
	}
}

/* Each of the two kinds of bins is the same as if it were alone. */
Test(time_bins, both_kinds_at_once)
{
	static const struct {
		uint32_t samples;
		uint32_t parts;
	} rows[] = {
		{ SAMPLES, TIME_BINS },
		{ TIME_BINS, 1 }, /* too few samples for bins with equal counts */
	};

	for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
		struct time_histogram *histogram = memory_zalloc(1, sizeof(*histogram));
		struct time_bins both, equal, counted;

		for (uint32_t i = 0; i < rows[row].samples; i++)
			time_histogram_add(histogram, time_of(i, UINT64_MAX), 1);
		time_bins_make(&counted, histogram);
		time_bins_make_equal(&equal, histogram, 1000000, TIME_EQUAL_BINS_MAX / TIME_BINS);
		time_bins_make_both(&both, histogram, 1000000, TIME_EQUAL_BINS_MAX);
		cr_assert_eq(both.parts, rows[row].parts);
		cr_expect_eq(both.width_ns, equal.width_ns);
		cr_expect_leq(both.count, TIME_EQUAL_BINS_MAX);
		for (uint32_t i = 0; i < rows[row].samples; i++) {
			uint64_t time_ns = time_of(i, UINT64_MAX);
			uint32_t bin = time_bins_find(&both, time_ns);

			cr_assert_eq(bin / both.parts, time_bins_find(&equal, time_ns), "at %u", i);
			cr_assert_eq(bin % both.parts, time_bins_find(&counted, time_ns), "at %u",
				     i);
		}
		memory_free(histogram);
	}
}
