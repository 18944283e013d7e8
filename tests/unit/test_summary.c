/* SPDX-License-Identifier: MIT */
#include "render/text/summary.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

static void expect_summary(const struct profile_maker *maker, const char *expected)
{
	struct sink sink;

	sink_init_memory(&sink);
	summary_write(&maker->profile, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
}

Test(summary, samples_time_and_leaf)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	for (int i = 0; i < 1233; i++)
		profile_maker_stack(&maker, "app;main", 1);
	profile_maker_stack(&maker, "app;main;par\x1bse", 1233 * 2);
	maker.profile.first_time_ns = 1000000000;
	maker.profile.last_time_ns = 3500000000;
	profile_maker_build(&maker, NULL);
	expect_summary(&maker, "samples:      1,234 of cycles\n"
			       "time span:    2.50 s\n"
			       "hottest leaf: par?se, 66.67%\n");
	profile_maker_deinit(&maker);
}

Test(summary, of_nothing)
{
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	expect_summary(&maker, "samples:      0 of cycles\ntime span:    unknown, because the "
			       "samples have no timestamps\nhottest leaf: none, because there are "
			       "no samples\n");
	/* If captures were added up, only one of them may lack times. */
	maker.profile.added_count = 1;
	expect_summary(&maker, "samples:      0 of cycles\ntime span:    unknown, because samples "
			       "of some inputs have no timestamps\nhottest leaf: none, because "
			       "there are no samples\n");
	profile_maker_deinit(&maker);
}

/*
 * Self is summed over the whole tree, and over equal names in several modules. In inverted stacks
 * the innermost frames are next to the root.
 */
static void expect_names_by_self(bool is_reversed)
{
	static const struct {
		const char *name;
		uint64_t self;
	} expected[] = {
		{ "read", 30 }, { "alpha", 20 }, { "beta", 20 }, { "main", 5 }, { "app", 1 }
	};
	struct hottest rows[10];
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_module(&maker, MODULE_FILE, "/a");
	profile_maker_module(&maker, MODULE_FILE, "/b");
	profile_maker_stack(&maker, "app;main;read|1", 10);
	profile_maker_stack(&maker, "app;main;beta", 20);
	profile_maker_stack(&maker, "app;main", 5);
	profile_maker_stack(&maker, "app;main;alpha;read|2", 15);
	profile_maker_stack(&maker, "bash;read;read", 5);
	profile_maker_stack(&maker, "bash;alpha", 20);
	profile_maker_stack(&maker, "app", 1);
	profile_maker_build(
		&maker, &(struct view){ .grouping = GROUPING_BY_COMM, .is_reversed = is_reversed });
	cr_assert_eq(summary_hottest(&maker.profile, rows, ARRAY_SIZE(rows)), ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		cr_expect(text_is(rows[i].name, expected[i].name), "place %zu", i);
		cr_expect_eq(rows[i].self, expected[i].self, "place %zu", i);
	}
	cr_expect_eq(summary_hottest(&maker.profile, rows, 2), 2);
	cr_expect_eq(summary_hottest(&maker.profile, rows, 0), 0);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

Test(summary, names_by_self)
{
	expect_names_by_self(false);
}

Test(summary, names_by_self_of_reversed_stacks)
{
	expect_names_by_self(true);
}

Test(summary, hottest_of_nothing)
{
	struct profile_maker maker;
	struct hottest row;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	cr_expect_eq(summary_hottest(&maker.profile, &row, 1), 0);
	profile_maker_deinit(&maker);
}
