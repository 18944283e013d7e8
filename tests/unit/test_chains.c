/* SPDX-License-Identifier: MIT */
#include "profile/chains.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

static const struct chain_key plain_key = { .event = 1, .comm = 2, .space = { 3 }, .cpu_mode = 2 };

Test(chains, equal_chains_are_one_row)
{
	static const uint64_t ips[] = { 0x1000, 0x2000, 0x3000 };
	static const struct {
		size_t first;
		uint32_t count;
		uint64_t period;
		size_t rows; /* afterwards */
	} steps[] = {
		{ 0, 3, 10, 1 }, { 0, 3, 5, 1 }, { 0, 2, 1, 2 }, { 1, 2, 1, 3 },
		{ 0, 0, 7, 4 },  { 0, 0, 7, 4 }, { 0, 2, 9, 4 },
	};
	static const struct {
		uint64_t sample_count, period_sum;
	} expected[] = { { 2, 15 }, { 2, 10 }, { 1, 1 }, { 2, 14 } };
	struct chains chains;

	chains_init(&chains);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		/* A reader's buffer: the chain must be copied. NULL when there is nothing in it. */
		uint64_t buffer[3];

		memcpy(buffer, ips + steps[i].first, steps[i].count * sizeof(*ips));
		chains_add(&chains, &plain_key, steps[i].count ? buffer : NULL, steps[i].count,
			   steps[i].period);
		memset(buffer, 0xee, sizeof(buffer));
		cr_expect_eq(chains.rows.count, steps[i].rows, "step %zu", i);
	}
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		cr_expect_eq(chains.rows.at[i].sample_count, expected[i].sample_count, "%zu", i);
		cr_expect_eq(chains.rows.at[i].period_sum, expected[i].period_sum, "%zu", i);
	}
	cr_expect_eq(memcmp(chains.rows.at[0].ips, ips, sizeof(ips)), 0);
	cr_expect_eq(chains.rows.at[2].ips[1], 0x3000);
	cr_expect_eq(chains.rows.at[3].ip_count, 0);
	chains_deinit(&chains);
	assert_no_leaks();
}

Test(chains, every_part_of_the_key_tells_apart)
{
	static const uint64_t ip = 0x1000;
	struct chain_key keys[8];
	struct chains chains;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = plain_key;
	keys[1].event++;
	keys[2].comm++;
	keys[3].unnamed_tid++;
	keys[4].space.i++;
	keys[5].replaced_space.i++;
	keys[6].kernel_space.i++;
	keys[7].cpu_mode++;
	chains_init(&chains);
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			chains_add(&chains, &keys[i], &ip, 1, 1);
	cr_assert_eq(chains.rows.count, ARRAY_SIZE(keys));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		cr_expect_eq(memcmp(&chains.rows.at[i].key, &keys[i], sizeof(keys[i])), 0);
		cr_expect_eq(chains.rows.at[i].sample_count, 2, "key %zu", i);
	}
	chains_deinit(&chains);
}

Test(chains, sums_stop_at_the_largest_number)
{
	uint64_t ip = 0x1000;
	struct chains chains;

	chains_init(&chains);
	chains_add(&chains, &plain_key, &ip, 1, UINT64_MAX - 1);
	chains_add(&chains, &plain_key, &ip, 1, 7);
	cr_expect_eq(chains.rows.at[0].period_sum, UINT64_MAX);
	cr_expect_eq(chains.rows.at[0].sample_count, 2);
	chains_deinit(&chains);
}

/* Against a plain count, with more chains than any table begins with. */
Test(chains, many)
{
	enum {
		DISTINCT = 3000,
		SAMPLES = 30000
	};
	static uint64_t counts[DISTINCT], sums[DISTINCT];
	struct random random = { 5 };
	struct chains chains;
	size_t distinct = 0;

	chains_init(&chains);
	for (int i = 0; i < SAMPLES; i++) {
		uint32_t which = random_below(&random, DISTINCT);
		uint64_t period = random_u64(&random) >> 16;
		uint64_t ips[4] = { 0x1000, which / 100, which % 100, 0x7000 };

		chains_add(&chains, &plain_key, ips, 4, period);
		counts[which]++;
		sums[which] += period;
	}
	for (size_t i = 0; i < chains.rows.count; i++) {
		const struct chain *row = &chains.rows.at[i];
		uint64_t which = row->ips[1] * 100 + row->ips[2];

		cr_assert_eq(row->sample_count, counts[which]);
		cr_assert_eq(row->period_sum, sums[which]);
	}
	for (size_t i = 0; i < DISTINCT; i++)
		distinct += counts[i] != 0;
	cr_expect_eq(chains.rows.count, distinct);
	chains_deinit(&chains);
}

/* One table in three parts says the same as one that saw all samples itself, in the same order. */
Test(chains, merged_tables_are_as_one)
{
	enum {
		SAMPLES = 3000,
		PARTS = 3
	};
	struct random random = { 31 };
	struct chains whole, merged, parts[PARTS];

	chains_init(&whole);
	chains_init(&merged);
	for (int i = 0; i < PARTS; i++)
		chains_init(&parts[i]);
	for (int i = 0; i < SAMPLES; i++) {
		uint64_t ips[2] = { random_below(&random, 40), random_below(&random, 40) };
		uint32_t count = random_below(&random, 3);

		chains_add(&whole, &plain_key, count ? ips : NULL, count, ips[0]);
		chains_add(&parts[i * PARTS / SAMPLES], &plain_key, count ? ips : NULL, count,
			   ips[0]);
	}
	for (int i = 0; i < PARTS; i++) {
		chains_merge(&merged, &parts[i]);
		cr_expect_eq(parts[i].rows.count, 0);
	}
	cr_assert_eq(merged.rows.count, whole.rows.count);
	for (size_t i = 0; i < whole.rows.count; i++) {
		const struct chain *want = &whole.rows.at[i];
		const struct chain *got = &merged.rows.at[i];

		cr_assert_eq(got->ip_count, want->ip_count, "row %zu", i);
		cr_assert(memcmp(got->ips, want->ips, got->ip_count * sizeof(*got->ips)) == 0);
		cr_assert_eq(got->sample_count, want->sample_count, "row %zu", i);
		cr_assert_eq(got->period_sum, want->period_sum, "row %zu", i);
	}
	/* An emptied table can be filled again. */
	chains_add(&parts[0], &plain_key, NULL, 0, 1);
	cr_expect_eq(parts[0].rows.count, 1);
	for (int i = 0; i < PARTS; i++)
		chains_deinit(&parts[i]);
	chains_deinit(&merged);
	chains_deinit(&whole);
	assert_no_leaks();
}
