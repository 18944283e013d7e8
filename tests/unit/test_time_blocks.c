/* SPDX-License-Identifier: MIT */
#include "diff/time_blocks.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "tests/support/random.h"

#define SAMPLES 4000

/* A time now and then, with a pause after the first quarter, and at most limit. */
static uint64_t time_of(uint32_t i, uint64_t limit)
{
	uint64_t time_ns =
		(uint64_t)i * 1000000 + (i > SAMPLES / 4 ? (uint64_t)60 * 1000000000 : 0);

	return time_ns < limit ? time_ns : limit;
}

static void expect_same(const struct time_blocks *a, const struct time_blocks *b)
{
	cr_expect_eq(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++)
		cr_expect_eq(a->until_ns[i], b->until_ns[i], "block %u", i);
}

Test(time_blocks, all_have_about_as_many_samples)
{
	struct time_bins *bins = memory_zalloc(1, sizeof(*bins));
	uint32_t counts[TIME_BLOCKS] = { 0 };
	struct time_blocks blocks;

	for (uint32_t i = 0; i < SAMPLES; i++)
		time_bins_add(bins, 7000000000 + time_of(i, UINT64_MAX), 1);
	time_blocks_make(&blocks, bins);
	cr_assert_eq(blocks.count, TIME_BLOCKS);
	for (uint32_t i = 0; i < SAMPLES; i++)
		counts[time_blocks_find(&blocks, 7000000000 + time_of(i, UINT64_MAX))]++;
	/* A bin is some 16 ms. */
	for (uint32_t i = 0; i < TIME_BLOCKS; i++)
		cr_expect(counts[i] >= 225 && counts[i] <= 275, "%u in block %u", counts[i], i);
	cr_expect_eq(time_blocks_find(&blocks, 0), 0);
	cr_expect_eq(time_blocks_find(&blocks, UINT64_MAX), TIME_BLOCKS - 1);
	memory_free(bins);
}

/* Whatever the order, and whoever saw which of them. */
Test(time_blocks, depend_on_times_alone)
{
	struct time_bins *all = memory_zalloc(1, sizeof(*all));
	struct time_bins *parts = memory_zalloc(3, sizeof(*parts));
	struct time_bins *merged = memory_zalloc(1, sizeof(*merged));
	struct random random = { .state = 5 };
	struct time_blocks blocks;
	struct time_blocks other;

	for (uint32_t i = SAMPLES; i-- > 0;) {
		time_bins_add(all, time_of(i, UINT64_MAX), 2);
		time_bins_add(&parts[random_below(&random, 2)], time_of(i, UINT64_MAX), 2);
	}
	for (int i = 0; i < 3; i++)
		time_bins_merge(merged, &parts[i]);
	time_blocks_make(&blocks, all);
	time_blocks_make(&other, merged);
	cr_expect_eq(all->total, 2 * SAMPLES);
	cr_expect_eq(merged->total, all->total);
	cr_expect_eq(merged->shift, all->shift);
	expect_same(&blocks, &other);
	memory_free(all);
	memory_free(parts);
	memory_free(merged);
}

Test(time_blocks, there_are_none)
{
	static const struct {
		const char *what;
		uint32_t count;
		uint64_t limit;
	} rows[] = {
		{ "no samples", 0, UINT64_MAX },
		{ "too few", TIME_BLOCKS * TIME_BLOCK_SAMPLES - 1, UINT64_MAX },
		{ "all at once", SAMPLES, 0 },
		{ "nearly so", SAMPLES, 3000000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct time_bins *bins = memory_zalloc(1, sizeof(*bins));
		struct time_blocks blocks;

		for (uint32_t k = 0; k < rows[i].count; k++)
			time_bins_add(bins, time_of(k, rows[i].limit), 1);
		time_blocks_make(&blocks, bins);
		cr_expect_eq(blocks.count, 0, "%s", rows[i].what);
		cr_expect_eq(time_blocks_find(&blocks, 1000), 0);
		memory_free(bins);
	}
}

/* The first and the last there can be, and nothing between. */
Test(time_blocks, times_as_far_apart_as_can_be)
{
	struct time_bins *bins = memory_zalloc(1, sizeof(*bins));

	time_bins_add(bins, UINT64_MAX, 3);
	time_bins_add(bins, 0, UINT64_MAX);
	time_bins_add(bins, UINT64_MAX / 2, 0);
	cr_expect_eq(bins->total, UINT64_MAX);
	cr_expect_lt(bins->last - bins->first, TIME_BINS);
	cr_expect_eq(bins->counts[bins->last % TIME_BINS], 3);
	memory_free(bins);
}
