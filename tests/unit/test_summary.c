/* SPDX-License-Identifier: MIT */
#include "render/svg/summary.h"

#include <criterion/criterion.h>

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
	expect_summary(&maker, "samples:      0 of cycles\n"
			       "time span:    unknown, the samples have no times\n"
			       "hottest leaf: none, there are no samples\n");
	profile_maker_deinit(&maker);
}
