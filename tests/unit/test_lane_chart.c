/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "profile/tree/lane_chart.h"

#define LANE_A  1u
#define LANE_B  2u
#define MAIN    3u
#define READ    4u
#define WRITE   5u
#define BOX_MAX 1000u

struct added {
	uint32_t lane;
	uint64_t time_ns, duration_ns, window_ns;
	uint32_t leaf; /* above MAIN */
};

struct row {
	uint32_t depth, frame;
	uint64_t begin, total;
};

static void add_all(struct lane_chart *chart, const struct added *added, size_t count)
{
	lane_chart_init(chart);
	for (size_t i = 0; i < count; i++) {
		const uint32_t stack[] = { MAIN, added[i].leaf };

		lane_chart_add(chart, added[i].lane, stack, 2,
			       &(struct lane_sample){ .time_ns = added[i].time_ns,
						      .duration_ns = added[i].duration_ns,
						      .window_ns = added[i].window_ns,
						      .count = 1 });
	}
}

static void check_rows(const struct profile *profile, const struct row *rows, size_t count)
{
	cr_assert_eq(profile->stacks.count, count + 1, "%zu rows", profile->stacks.count - 1);
	for (size_t i = 0; i < count; i++) {
		const struct stack *stack = &profile->stacks.at[i + 1];

		cr_expect_eq(stack->depth, rows[i].depth, "depth of row %zu: %u", i, stack->depth);
		cr_expect_eq(stack->frame.i, rows[i].frame, "frame of row %zu", i);
		cr_expect_eq(profile->begins.at[i + 1], rows[i].begin, "row %zu begins at %llu", i,
			     (unsigned long long)profile->begins.at[i + 1]);
		cr_expect_eq(stack->total, rows[i].total, "total of row %zu: %llu", i,
			     (unsigned long long)stack->total);
	}
}

/*
 * A box reaches from its sample back to the previous one if that is near, otherwise by the sample's
 * duration.
 */
Test(lane_chart, has_holes)
{
	static const struct added added[] = {
		{ LANE_A, 1010, 10, 0, READ },  { LANE_A, 1020, 10, 0, READ },
		{ LANE_B, 1020, 10, 0, WRITE }, { LANE_A, 1035, 10, 0, WRITE }, /* jitter */
		{ LANE_A, 1051, 10, 0, WRITE },                                 /* a hole */
		{ LANE_A, 1055, 10, 0, READ },
	};
	static const struct row rows[] = {
		{ 1, LANE_A, 0, 49 }, { 2, MAIN, 0, 35 },   { 3, READ, 0, 20 },
		{ 3, WRITE, 20, 15 }, { 2, MAIN, 41, 14 },  { 3, WRITE, 41, 10 },
		{ 3, READ, 51, 4 },   { 1, LANE_B, 0, 10 }, { 2, MAIN, 10, 10 },
		{ 3, WRITE, 10, 10 },
	};
	struct lane_chart chart;
	struct profile profile;

	profile_init(&profile);
	add_all(&chart, added, ARRAY_SIZE(added));
	lane_chart_finish(&chart, &profile, 10, BOX_MAX);
	check_rows(&profile, rows, ARRAY_SIZE(rows));
	cr_expect_eq(profile.lanes.count, 2);
	cr_expect_eq(profile.lanes.first_ns, 1000);
	cr_expect_eq(profile.lanes.duration_ns, 55);
	cr_expect_eq(profile.view_sample_count, 6);
	cr_expect_eq(profile.stacks.at[0].total, 59);
	lane_chart_deinit(&chart);
	profile_deinit(&profile);
}

Test(lane_chart, clips_to_windows_and_counts_other_lanes)
{
	static const struct added added[] = {
		{ LANE_A, 1010, 10, 1005, READ },
		{ LANE_B, 1012, 2, 0, WRITE },
	};
	static const struct row rows[] = {
		{ 1, LANE_A, 0, 5 },
		{ 2, MAIN, 0, 5 },
		{ 3, READ, 0, 5 },
	};
	struct lane_chart chart;
	struct profile profile;

	profile_init(&profile);
	add_all(&chart, added, ARRAY_SIZE(added));
	lane_chart_finish(&chart, &profile, 1, BOX_MAX);
	check_rows(&profile, rows, ARRAY_SIZE(rows));
	cr_expect_eq(profile.lanes.first_ns, 1005);
	cr_expect_eq(profile.lanes.duration_ns, 7);
	cr_expect_eq(profile.lanes.other_count, 1);
	cr_expect_eq(profile.lanes.other_ns, 2);
	cr_expect_eq(profile.lanes.others[0].i, LANE_B);
	lane_chart_deinit(&chart);
	profile_deinit(&profile);
}

/* At most two boxes remain: those of a bin become one, with the heaviest stack. Sums stay exact. */
Test(lane_chart, merges_short_boxes)
{
	static const struct added added[] = {
		{ LANE_A, 1001, 1, 0, READ }, { LANE_A, 1003, 2, 0, WRITE },
		{ LANE_A, 1004, 1, 0, READ }, { LANE_A, 1005, 1, 0, READ },
		{ LANE_A, 1100, 1, 0, READ },
	};
	static const struct row rows[] = {
		{ 1, LANE_A, 0, 6 }, { 2, MAIN, 0, 5 },  { 3, READ, 0, 5 },
		{ 2, MAIN, 99, 1 },  { 3, READ, 99, 1 },
	};
	struct lane_chart chart;
	struct profile profile;

	profile_init(&profile);
	add_all(&chart, added, ARRAY_SIZE(added));
	lane_chart_finish(&chart, &profile, 10, 2);
	check_rows(&profile, rows, ARRAY_SIZE(rows));
	cr_expect_eq(profile.lanes.merged_ns, 34);
	lane_chart_deinit(&chart);
	profile_deinit(&profile);
}

/*
 * A sample without a duration gets a thousandth of the axis, but does not overlap the previous
 * sample.
 */
Test(lane_chart, widens_instants)
{
	static const struct added added[] = {
		{ LANE_A, 100000, 0, 0, READ },
		{ LANE_A, 100040, 0, 0, READ },
		{ LANE_A, 200000, 0, 0, READ },
	};
	static const struct row rows[] = {
		{ 1, LANE_A, 0, 242 },    { 2, MAIN, 0, 141 },      { 3, READ, 0, 141 },
		{ 2, MAIN, 100000, 101 }, { 3, READ, 100000, 101 },
	};
	struct lane_chart chart;
	struct profile profile;

	profile_init(&profile);
	add_all(&chart, added, ARRAY_SIZE(added));
	lane_chart_finish(&chart, &profile, 10, BOX_MAX);
	check_rows(&profile, rows, ARRAY_SIZE(rows));
	cr_expect(profile.lanes.has_instants);
	cr_expect_eq(profile.lanes.first_ns, 99899);
	lane_chart_deinit(&chart);
	profile_deinit(&profile);
}

Test(lane_chart, accepts_no_samples)
{
	struct lane_chart chart;
	struct profile profile;

	profile_init(&profile);
	add_all(&chart, NULL, 0);
	lane_chart_finish(&chart, &profile, 10, BOX_MAX);
	check_rows(&profile, NULL, 0);
	cr_expect_eq(profile.lanes.count, 0);
	lane_chart_deinit(&chart);
	profile_deinit(&profile);
}
