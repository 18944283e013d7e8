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
		{ "comm", true, { .by = { GROUP_COMM }, .count = 1 } },
		{ "cpu,comm,tid",
		  true,
		  { .by = { GROUP_CPU, GROUP_COMM, GROUP_TID }, .count = 3 } },
		{ "comm,comm", true, { .by = { GROUP_COMM }, .count = 1 } },
		{ "event", true, { .by = { GROUP_EVENT }, .count = 1 } },
		{ "dso,file", true, { .by = { GROUP_DSO, GROUP_FILE }, .count = 2 } },
		{ "", true, { .by = { 0 }, .count = 0 } },
		{ "cgroup,cpu", true, { .by = { GROUP_CGROUP, GROUP_CPU }, .count = 2 } },
		{ "com", true, { .by = { GROUP_FIELD }, .count = 1 } },
		{ "id,x_2,id", true, { .by = { GROUP_FIELD, GROUP_FIELD }, .count = 2 } },
		{ "comm tid", false, { .count = 0 } },
		{ "2x", false, { .count = 0 } },
		{ "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r", false, { .count = 0 } },
		{ "comm,", true, { .by = { GROUP_COMM }, .count = 1 } },
		{ ",comm", false, { .by = { 0 }, .count = 0 } },
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
	struct grouping grouping = { .by = { GROUP_EVENT }, .count = 1 };
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
