/* SPDX-License-Identifier: MIT */
#include "histogram/histogram_set.h"

#include <criterion/criterion.h>

#include "profile/interval.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

static const struct view view = {
	.event_pattern = "usecs",
	.grouping = GROUPING_BY_COMM,
	.weighing = { .kind = WEIGHING_SAMPLES },
};

static void make(struct profile_maker *maker, const char *const *stacks, size_t count)
{
	profile_maker_init(maker);
	profile_maker_event(maker, "usecs", UNIT_SAMPLES);
	profile_maker_module(maker, MODULE_FILE, "[length]");
	for (size_t i = 0; i < count; i++)
		profile_maker_stack(maker, stacks[i], 1);
	profile_maker_build(maker, &view);
}

Test(histogram_set, rows_of_all_and_of_groups)
{
	static const char *const stacks[] = {
		"vda;2 -> 3|1", "vda;2 -> 3|1", "vda;4 -> 7|1", "vdb;4 -> 7|1",
		"vdb;0 -> 1|1", "vdb;4 -> 7|1", "vdb;4 -> 7|1",
	};
	struct histogram_set_options options = { .are_durations = false };
	struct profile_maker maker;
	struct histogram_set set;
	struct error err;
	const struct histogram *all;

	make(&maker, stacks, ARRAY_SIZE(stacks));
	cr_assert(histogram_set_make(&set, &maker.profile, &options, &err));
	cr_assert_eq(set.rows.count, 3);
	cr_expect_eq(set.unit_ns, 1000);
	all = histogram_set_find(&set, text_of(""));
	cr_assert(all);
	cr_expect_eq(all->count, 7);
	cr_assert_eq(all->buckets.count, 3);
	cr_expect_eq(all->buckets.at[2].count, 4);
	cr_expect(text_is(set.rows.at[1].name, "vdb"));
	cr_expect_eq(set.rows.at[2].histogram.buckets.at[0].count, 2);
	cr_expect_null(histogram_set_find(&set, text_of("vdc")));
	histogram_set_deinit(&set);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

Test(histogram_set, refuses_what_has_no_quantiles)
{
	static const char *const stacks[][2] = {
		{ "app;main|1", "app;2 -> 3|1" },
		{ "app;2 -> 5|1", "app;4 -> 7|1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		struct histogram_set_options options = { .are_durations = false };
		struct profile_maker maker;
		struct histogram_set set;
		struct error err;

		make(&maker, stacks[i], 2);
		cr_expect_not(histogram_set_make(&set, &maker.profile, &options, &err), "%zu", i);
		histogram_set_deinit(&set);
		profile_maker_deinit(&maker);
	}
	assert_no_leaks();
}

/* Every duration is in the bucket that its rounded duration denotes. */
Test(histogram_set, durations_have_the_bounds_of_their_rounding)
{
	for (uint64_t duration_ns = 1; duration_ns < (uint64_t)1 << 52;
	     duration_ns += duration_ns / 3 + 1) {
		struct histogram_set_options options = { .are_durations = true, .level_count = 1 };
		const struct histogram_bucket *bucket;
		struct profile_maker maker;
		struct histogram_set set;
		char stack[64];
		struct error err;

		snprintf(stack, sizeof(stack), "app;read;%llu|1",
			 (unsigned long long)interval_round_ns(duration_ns));
		make(&maker, (const char *const[]){ stack }, 1);
		cr_assert(histogram_set_make(&set, &maker.profile, &options, &err));
		bucket = &set.rows.at[0].histogram.buckets.at[0];
		cr_expect(bucket->low <= (double)duration_ns &&
			  (double)duration_ns <= bucket->high);
		cr_expect(bucket->high - bucket->low <= (double)duration_ns / 4096);
		cr_expect(text_is(set.rows.at[1].name, "app"));
		histogram_set_deinit(&set);
		profile_maker_deinit(&maker);
	}
	assert_no_leaks();
}

/* Sets of exact values do not refer to the texts that they were made from. */
Test(histogram_set, of_known_values)
{
	uint64_t first[] = { 1000000, 3000000 };
	uint64_t second[] = { 2500000 };
	struct histogram_set set;
	char name[] = "futex";

	histogram_set_begin(&set, text_of("size"), 0);
	histogram_set_add(&set, text_of(name), first, 2, 1e-6);
	name[0] = 'x';
	histogram_set_add(&set, text_of("read"), second, 1, 1e-6);
	histogram_set_end(&set);
	cr_expect_eq(set.rows.count, 3);
	cr_expect_eq(set.rows.at[0].histogram.count, 3);
	cr_expect_eq(histogram_quantile(&set.rows.at[0].histogram, 0.5).value, 2.5);
	cr_assert_not_null(histogram_set_find(&set, text_of("futex")));
	cr_expect_eq(histogram_set_find(&set, text_of("futex"))->count, 2);
	cr_expect_null(histogram_set_find(&set, text_of("xutex")));
	cr_expect_eq(histogram_set_find(&set, text_of("")), &set.rows.at[0].histogram);
	histogram_set_deinit(&set);
	assert_no_leaks();
}
