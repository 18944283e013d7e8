/* SPDX-License-Identifier: MIT */
#include "profile/callchains.h"

#include <criterion/criterion.h>

#include "tests/support/callchain_list.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define NO_IP CALLCHAIN_NO_IP

static const struct callchain_key plain_key = {
	.event = 1,
	.comm = 2,
	.space = { 3 },
	.entry_kind = ENTRY_USER,
};

Test(callchains, equal_chains_are_counted_together)
{
	static const uint64_t ips[] = { 0x1000, 0x2000, 0x3000, 0x2000, 0x3000 };
	static const struct {
		size_t first;
		uint32_t count;
		uint64_t period;
	} samples[] = {
		{ 0, 3, 10 }, { 0, 3, 5 }, { 0, 2, 1 }, { 1, 2, 1 },
		{ 0, 0, 7 },  { 0, 0, 7 }, { 0, 2, 9 }, { 2, 3, 20 },
	};
	/* Caller lists are in the order of their first samples, and so are the leaf addresses of
	 * each list. */
	static const struct {
		uint64_t ip;
		uint32_t caller_count;
		uint64_t sample_count, period_sum;
	} expected[] = {
		{ 0x1000, 2, 2, 15 }, { 0x3000, 2, 1, 20 }, { 0x1000, 1, 2, 10 },
		{ 0x2000, 1, 1, 1 },  { NO_IP, 0, 2, 14 },
	};
	struct callchain_list list;
	struct callchains chains;

	callchains_init(&chains);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		/* The buffer is reused, as a reader does, so the callchain must be copied. NULL
		 * stands for an empty one. */
		uint64_t buffer[3];

		memcpy(buffer, ips + samples[i].first, samples[i].count * sizeof(*ips));
		callchains_add(&chains, &plain_key, samples[i].count ? buffer : NULL,
			       samples[i].count, samples[i].period, i);
		memset(buffer, 0xee, sizeof(buffer));
	}
	callchain_list_init(&list, &chains);
	cr_assert_eq(list.rows.count, ARRAY_SIZE(expected));
	cr_expect_eq(list.callers_count, 4);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct listed_callchain *row = &list.rows.at[i];

		cr_expect_eq(row->chain.ip, expected[i].ip, "%zu", i);
		cr_expect_eq(row->callers->ip_count, expected[i].caller_count, "%zu", i);
		cr_expect_eq(row->chain.sample_count, expected[i].sample_count, "%zu", i);
		cr_expect_eq(row->chain.period_sum, expected[i].period_sum, "%zu", i);
	}
	cr_expect_eq(memcmp(list.rows.at[0].callers->ips, ips + 1, 16), 0);
	cr_expect_eq(list.rows.at[2].callers->ips[0], 0x2000);
	callchain_list_deinit(&list);
	callchains_deinit(&chains);
	assert_no_leaks();
}

/* The first address is the innermost. The last marker before an address gives its mode. */
Test(callchains, the_innermost_address_is_kept_apart)
{
	static const struct {
		const char *what;
		uint64_t ips[4]; /* 0 at the end */
		uint64_t ip;
		uint32_t caller_count;
		enum entry_kind kind;
	} rows[] = {
		{ "no marker", { 0x10, 0x20 }, 0x10, 1, ENTRY_USER },
		{ "a marker", { CALLCHAIN_KERNEL, 0x10, 0x20 }, 0x10, 1, ENTRY_KERNEL },
		{ "two",
		  { CALLCHAIN_KERNEL, CALLCHAIN_GUEST_USER, 0x10 },
		  0x10,
		  0,
		  ENTRY_GUEST_USER },
		{ "one behind it", { 0x10, CALLCHAIN_KERNEL, 0x20 }, 0x10, 2, ENTRY_USER },
		{ "nothing else", { CALLCHAIN_KERNEL }, NO_IP, 0, ENTRY_USER },
		{ "a stray word", { (uint64_t)-2, 0x10, 0x20 }, NO_IP, 0, ENTRY_USER },
		{ "a late stray word", { 0x10, (uint64_t)-2, 0x20 }, 0x10, 2, ENTRY_USER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct callchain_list list;
		struct callchains chains;
		uint32_t count = 0;

		while (count < ARRAY_SIZE(rows[i].ips) && rows[i].ips[count])
			count++;
		callchains_init(&chains);
		callchains_add(&chains, &plain_key, rows[i].ips, count, 1, 0);
		callchain_list_init(&list, &chains);
		cr_assert_eq(list.rows.count, 1);
		cr_expect_eq(list.rows.at[0].chain.ip, rows[i].ip, "%s", rows[i].what);
		cr_expect_eq(list.rows.at[0].callers->ip_count, rows[i].caller_count, "%s",
			     rows[i].what);
		cr_expect_eq(list.rows.at[0].callers->key->entry_kind, rows[i].kind, "%s",
			     rows[i].what);
		callchain_list_deinit(&list);
		callchains_deinit(&chains);
	}
}

Test(callchains, every_part_of_the_key_tells_apart)
{
	static const uint64_t ip = 0x1000;
	struct callchain_list list;
	struct callchain_key keys[11];
	struct callchains chains;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = plain_key;
	keys[1].event++;
	keys[2].comm++;
	keys[3].unnamed_tid++;
	keys[4].space.i++;
	keys[5].replaced_space.i++;
	keys[6].kernel_space.i++;
	keys[7].entry_kind++;
	keys[8].pid++;
	keys[9].tid++;
	keys[10].cpu++;
	callchains_init(&chains);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(keys); i++)
		callchains_add(&chains, &keys[i % ARRAY_SIZE(keys)], &ip, 1, 1, i);
	callchain_list_init(&list, &chains);
	cr_assert_eq(list.rows.count, ARRAY_SIZE(keys));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct listed_callchain *row = &list.rows.at[i];

		cr_expect_eq(memcmp(row->callers->key, &keys[i], sizeof(keys[i])), 0, "%zu", i);
		cr_expect_eq(row->chain.sample_count, 2, "key %zu", i);
	}
	callchain_list_deinit(&list);
	callchains_deinit(&chains);
}

Test(callchains, sums_stop_at_the_largest_number)
{
	uint64_t ip = 0x1000;
	struct callchain_list list;
	struct callchains chains;

	callchains_init(&chains);
	callchains_add(&chains, &plain_key, &ip, 1, UINT64_MAX - 1, 0);
	callchains_add(&chains, &plain_key, &ip, 1, 7, 1);
	callchain_list_init(&list, &chains);
	cr_expect_eq(list.rows.at[0].chain.period_sum, UINT64_MAX);
	cr_expect_eq(list.rows.at[0].chain.sample_count, 2);
	callchain_list_deinit(&list);
	callchains_deinit(&chains);
}

/*
 * More callchains than a table initially has room for; the counts are compared with plain arrays.
 */
Test(callchains, many)
{
	enum {
		DISTINCT = 30000,
		SAMPLES = 300000
	};
	static uint64_t counts[DISTINCT], sums[DISTINCT];
	struct random random = { 5 };
	struct callchain_list list;
	struct callchains chains;
	size_t distinct = 0;

	callchains_init(&chains);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint32_t which = random_below(&random, DISTINCT);
		uint64_t period = random_u64(&random) >> 16;
		uint64_t ips[4] = { 0x1000 + which % 10, which / 1000, which / 10, 0x7000 };

		callchains_add(&chains, &plain_key, ips, 4, period, i);
		counts[which]++;
		sums[which] += period;
	}
	callchain_list_init(&list, &chains);
	for (size_t i = 0; i < list.rows.count; i++) {
		const struct listed_callchain *row = &list.rows.at[i];
		uint64_t which = row->callers->ips[1] * 10 + row->chain.ip - 0x1000;

		cr_assert_eq(row->chain.sample_count, counts[which]);
		cr_assert_eq(row->chain.period_sum, sums[which]);
	}
	for (size_t i = 0; i < DISTINCT; i++)
		distinct += counts[i] != 0;
	cr_expect_eq(list.rows.count, distinct);
	cr_expect_eq(list.callers_count, DISTINCT / 10);
	callchain_list_deinit(&list);
	callchains_deinit(&chains);
}

static void expect_same(const struct callchain_list *got, const struct callchain_list *want)
{
	cr_assert_eq(got->rows.count, want->rows.count);
	for (size_t i = 0; i < want->rows.count; i++) {
		const struct listed_callchain *a = &got->rows.at[i];
		const struct listed_callchain *b = &want->rows.at[i];

		cr_assert_eq(a->chain.ip, b->chain.ip, "row %zu", i);
		cr_assert_eq(a->callers->ip_count, b->callers->ip_count, "row %zu", i);
		if (a->callers->ip_count)
			cr_assert(memcmp(a->callers->ips, b->callers->ips,
					 a->callers->ip_count * sizeof(uint64_t)) == 0);
		cr_assert_eq(a->chain.sample_count, b->chain.sample_count, "row %zu", i);
		cr_assert_eq(a->chain.period_sum, b->chain.period_sum, "row %zu", i);
	}
}

/* The tables of three parts equal the table of all samples, in the same order. */
Test(callchains, merged_tables_are_as_one)
{
	enum {
		SAMPLES = 3000,
		PARTS = 3
	};
	struct random random = { 31 };
	struct callchains whole, merged, parts[PARTS];
	struct callchain_list of_whole, of_merged;

	callchains_init(&whole);
	callchains_init(&merged);
	for (int i = 0; i < PARTS; i++)
		callchains_init(&parts[i]);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t ips[2] = { random_below(&random, 40), random_below(&random, 40) };
		uint32_t count = random_below(&random, 3);

		callchains_add(&whole, &plain_key, count ? ips : NULL, count, ips[0], i);
		callchains_add(&parts[i * PARTS / SAMPLES], &plain_key, count ? ips : NULL, count,
			       ips[0], i);
	}
	for (int i = 0; i < PARTS; i++) {
		callchains_flush(&parts[i]);
		for (size_t k = 0; k < CALLCHAINS_TABLE_COUNT; k++) {
			callchain_table_merge(&merged.tables[k], &parts[i].tables[k]);
			cr_expect_eq(parts[i].tables[k].chains.count, 0);
			cr_expect_eq(parts[i].tables[k].callers.count, 0);
		}
	}
	callchain_list_init(&of_whole, &whole);
	callchain_list_init(&of_merged, &merged);
	expect_same(&of_merged, &of_whole);
	callchain_list_deinit(&of_whole);
	callchain_list_deinit(&of_merged);
	/* Emptied tables can be filled again. */
	callchains_add(&parts[0], &plain_key, NULL, 0, 1, 0);
	callchain_list_init(&of_whole, &parts[0]);
	cr_expect_eq(of_whole.rows.count, 1);
	callchain_list_deinit(&of_whole);
	for (int i = 0; i < PARTS; i++)
		callchains_deinit(&parts[i]);
	callchains_deinit(&merged);
	callchains_deinit(&whole);
	assert_no_leaks();
}

Test(callchains, one_table_is_as_several)
{
	struct callchains several, one;
	struct callchain_list of_several, of_one;
	struct random random = { 5 };

	callchains_init(&several);
	callchains_init(&one);
	callchains_use_one_table(&one);
	for (uint64_t i = 0; i < 3000; i++) {
		uint64_t ips[2] = { random_below(&random, 40), random_below(&random, 40) };

		callchains_add(&several, &plain_key, ips, 2, ips[0], i);
		callchains_add(&one, &plain_key, ips, 2, ips[0], i);
	}
	callchain_list_init(&of_several, &several);
	callchain_list_init(&of_one, &one);
	expect_same(&of_one, &of_several);
	for (size_t i = 1; i < CALLCHAINS_TABLE_COUNT; i++)
		cr_expect_eq(one.tables[i].callers.count, 0);
	callchain_list_deinit(&of_several);
	callchain_list_deinit(&of_one);
	callchains_deinit(&several);
	callchains_deinit(&one);
	assert_no_leaks();
}
