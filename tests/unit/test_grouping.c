/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "profile/grouping.h"
#include "tests/support/profile_maker.h"

Test(grouping, parse)
{
	static const struct {
		const char *text;
		bool is_good;
		struct grouping wanted;
	} rows[] = {
		{ "comm", true, { { GROUP_COMM }, 1 } },
		{ "cpu,comm,tid", true, { { GROUP_CPU, GROUP_COMM, GROUP_TID }, 3 } },
		{ "comm,comm", true, { { GROUP_COMM }, 1 } },
		{ "event", true, { { GROUP_EVENT }, 1 } },
		{ "", true, { { 0 }, 0 } },
		{ "com", false, { { 0 }, 0 } },
		{ "comm,", true, { { GROUP_COMM }, 1 } },
		{ ",comm", false, { { 0 }, 0 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct grouping grouping;
		struct error err;

		cr_expect_eq(grouping_parse(rows[i].text, &grouping, &err), rows[i].is_good,
			     "\"%s\"", rows[i].text);
		if (!rows[i].is_good)
			continue;
		cr_expect_eq(grouping.count, rows[i].wanted.count, "%s", rows[i].text);
		for (uint32_t k = 0; k < grouping.count; k++)
			cr_expect_eq(grouping.by[k], rows[i].wanted.by[k], "%s", rows[i].text);
	}
}

/* Several events in one tree are counted in samples, whatever their periods are of. */
Test(grouping, by_event_counts_samples)
{
	struct grouping grouping = { { GROUP_EVENT }, 1 };
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;main", 1000);
	profile_maker_event(&maker, "page-faults", UNIT_EVENTS);
	profile_maker_stack(&maker, "app;main", 5);
	profile_maker_stack(&maker, "app;main", 5);
	profile_maker_build(&maker, &(struct build_options){ .grouping = &grouping });
	cr_expect_eq(maker.profile.unit, UNIT_SAMPLES);
	cr_assert_eq(maker.profile.stacks.count, 5);
	cr_expect_eq(maker.profile.stacks.at[0].total, 3);
	cr_expect(text_is(profile_frame_name(&maker.profile, maker.profile.stacks.at[1].frame),
			  "cycles"));
	cr_expect_eq(maker.profile.stacks.at[3].total, 2);
	profile_maker_deinit(&maker);
}
