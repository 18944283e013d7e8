/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "profile/grouping.h"
#include "tests/support/profile_maker.h"

/* Tables support keys that stacks cannot be grouped by, and perf's names of some keys. */
Test(grouping, columns)
{
	static const struct {
		const char *text;
		uint32_t count, sample_count; /* count 0: refused */
		const char *first;
	} rows[] = {
		{ "comm,dso,symbol", 3, 1, "comm" },
		{ "sym", 1, 0, "symbol" },
		{ "srcline", 1, 0, "srcline" },
		{ "pid,tid,cpu,event", 4, 4, "pid" },
		{ "prev_comm,dso", 2, 1, "prev_comm" },
		{ "sym,symbol", 1, 0, "symbol" },
		{ "", 0, 0, "" },
		{ "a b", 0, 0, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct grouping columns;
		struct error err;
		bool is_good = grouping_parse_columns(rows[i].text, &columns, &err);

		cr_expect_eq(is_good, rows[i].count != 0, "%s", rows[i].text);
		if (!is_good)
			continue;
		cr_expect_eq(columns.count, rows[i].count, "%s", rows[i].text);
		cr_expect_eq(grouping_of_samples(&columns).count, rows[i].sample_count, "%s",
			     rows[i].text);
		cr_expect(text_is(grouping_column_name(&columns, 0), rows[i].first));
	}
}

Test(grouping, column_values)
{
	static const struct {
		enum group_by by;
		const char *field, *frame, *value;
	} rows[] = {
		{ GROUP_TID, "", "tid 412", "412" },
		{ GROUP_PID, "", "pid -1", "-1" },
		{ GROUP_COMM, "", "tid 412", "tid 412" },
		{ GROUP_FIELD, "id", "id=257", "257" },
		{ GROUP_FIELD, "id", "[unknown]", "[unknown]" },
		{ GROUP_FIELD, "id", "i", "i" },
		{ GROUP_CPU, "", "[unknown]", "[unknown]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct grouping columns = {
			.by = { rows[i].by },
			.fields = { text_of(rows[i].field) },
			.count = 1,
		};

		cr_expect(text_is(grouping_column_value(&columns, 0, text_of(rows[i].frame)),
				  rows[i].value),
			  "%s", rows[i].frame);
	}
}

/* A key that only tables support is refused, naming the command that supports it. */
Test(grouping, stacks_are_not_grouped_by_symbols)
{
	struct grouping grouping;
	struct error err;

	cr_expect_not(grouping_parse("comm,srcline", &grouping, &err));
	cr_expect(strstr(err.text, "kiln report --by srcline"), "%s", err.text);
}

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

/* Several events in one tree are counted in samples, even if their periods have different units. */
Test(grouping, by_event_counts_samples)
{
	const struct view view = { .grouping = { .by = { GROUP_EVENT }, .count = 1 } };
	struct profile_maker maker;

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "app;main", 1000);
	profile_maker_event(&maker, "page-faults", UNIT_EVENTS);
	profile_maker_stack(&maker, "app;main", 5);
	profile_maker_stack(&maker, "app;main", 5);
	profile_maker_build(&maker, &view);
	cr_expect_eq(maker.profile.unit, UNIT_SAMPLES);
	cr_assert_eq(maker.profile.stacks.count, 5);
	cr_expect_eq(maker.profile.stacks.at[0].total, 3);
	cr_expect(text_is(profile_frame_name(&maker.profile, maker.profile.stacks.at[1].frame),
			  "cycles"));
	cr_expect_eq(maker.profile.stacks.at[3].total, 2);
	profile_maker_deinit(&maker);
}
