/* SPDX-License-Identifier: MIT */
#include "timeline/lanes.h"

#include <criterion/criterion.h>

#include "libparse/event.h"
#include "tests/support/random.h"

#define THREADS        12
#define INTERVAL_COUNT 20000
#define COLUMNS        64
#define LAST_NS        1000000

static const struct time_windows all = { .is_limited = false };

/* Makes consecutive intervals of each thread, of many durations. */
static void make(struct schedule_interval *intervals, size_t count)
{
	struct random random = { 7 };
	uint64_t ends[THREADS] = { 0 };

	for (size_t i = 0; i < count; i++) {
		uint32_t thread = random_below(&random, THREADS);
		uint64_t duration_ns =
			random_below(&random, random_below(&random, 50) ? 300 : 60000);
		enum schedule_state state =
			(enum schedule_state)random_below(&random, SCHEDULE_STATE_COUNT);

		if (ends[thread] + duration_ns > LAST_NS)
			duration_ns = LAST_NS - ends[thread];
		intervals[i] = (struct schedule_interval){
			.from_ns = ends[thread],
			.to_ns = ends[thread] + duration_ns,
			.tid = 100 + thread,
			.cpu = thread % 3,
			.state = state,
			.task_state = state == SCHEDULE_BLOCKED ? 'S' : '\0',
		};
		ends[thread] += duration_ns;
	}
}

static void fill(struct lanes *lanes, const struct lanes_options *options,
		 const struct schedule_interval *intervals, size_t count)
{
	lanes_init(lanes, options);
	for (uint32_t i = 0; i < THREADS; i++)
		lanes_thread(lanes, 100 + i)->is_selected = true;
	for (size_t i = 0; i < count; i++)
		lanes_survey(lanes, &intervals[i]);
	lanes_plan(lanes, 0, LAST_NS);
	for (size_t i = 0; i < count; i++)
		lanes_add(lanes, &intervals[i]);
	lanes_finish(lanes);
}

/* Adds up the time of a lane in a state, first from its sums, then from its spans and cells. */
static void sum_lane(const struct lanes *lanes, const struct lane *lane, enum schedule_state state,
		     uint64_t *sums_ret, uint64_t *drawn_ret)
{
	*sums_ret = *drawn_ret = 0;
	for (size_t i = 0; i < lanes->kinds.count; i++)
		*sums_ret += lanes->kinds.at[i].state == state ? lane->sums[i].total_ns : 0;
	for (size_t i = 0; i < lane->spans.count; i++)
		if (lanes->kinds.at[lane->spans.at[i].kind].state == state)
			*drawn_ret += lane->spans.at[i].to_ns - lane->spans.at[i].from_ns;
	for (size_t i = 0; i < lane->cells.count; i++)
		if (lanes->kinds.at[lane->cells.at[i].kind].state == state)
			*drawn_ret += lane->cells.at[i].total_ns;
}

static uint64_t expected_ns(const struct schedule_interval *intervals, size_t count, uint32_t tid,
			    enum schedule_state state, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t from_ns =
			intervals[i].from_ns > begin_ns ? intervals[i].from_ns : begin_ns;
		uint64_t to_ns = intervals[i].to_ns < end_ns ? intervals[i].to_ns : end_ns;

		if (intervals[i].tid == tid && intervals[i].state == state && from_ns < to_ns)
			sum_ns += to_ns - from_ns;
	}
	return sum_ns;
}

static void check_lanes(const struct lanes *lanes, const struct schedule_interval *intervals,
			size_t count, uint64_t begin_ns, uint64_t end_ns)
{
	for (size_t i = 0; i < lanes->lanes.count; i++) {
		const struct lane *lane = &lanes->lanes.at[i];

		for (int state = 0; state < SCHEDULE_STATE_COUNT && !lane->other_count; state++) {
			uint64_t sums, drawn;
			uint64_t expected =
				expected_ns(intervals, count, lane->key, (enum schedule_state)state,
					    begin_ns, end_ns);

			sum_lane(lanes, lane, (enum schedule_state)state, &sums, &drawn);
			cr_expect_eq(sums, expected, "thread %u, state %d", lane->key, state);
			cr_expect_eq(drawn, expected, "thread %u, state %d", lane->key, state);
		}
		cr_expect_leq(lane->spans.count, COLUMNS);
		cr_expect_leq(lane->cells.count, COLUMNS * lanes->kinds.count);
		for (size_t k = 1; k < lane->cells.count; k++)
			cr_expect(lane->cells.at[k - 1].column < lane->cells.at[k].column ||
				  (lane->cells.at[k - 1].column == lane->cells.at[k].column &&
				   lane->cells.at[k - 1].kind < lane->cells.at[k].kind));
	}
}

Test(lanes, sums_are_exact)
{
	struct schedule_interval *intervals = memory_alloc(INTERVAL_COUNT, sizeof(*intervals));
	struct lanes_options options = { .lane_max = THREADS,
					 .column_max = COLUMNS,
					 .windows = &all };
	struct lanes lanes;

	make(intervals, INTERVAL_COUNT);
	fill(&lanes, &options, intervals, INTERVAL_COUNT);
	cr_expect_eq(lanes.lanes.count, THREADS);
	cr_expect_eq(lanes.column_ns, LAST_NS / COLUMNS);
	check_lanes(&lanes, intervals, INTERVAL_COUNT, 0, LAST_NS);
	for (size_t i = 1; i < lanes.lanes.count; i++)
		cr_expect_geq(lanes.lanes.at[i - 1].weight_ns, lanes.lanes.at[i].weight_ns);
	lanes_deinit(&lanes);
	memory_free(intervals);
}

Test(lanes, windows_clip)
{
	struct schedule_interval *intervals = memory_alloc(INTERVAL_COUNT, sizeof(*intervals));
	struct time_windows windows = { .is_limited = true };
	struct lanes_options options = { .lane_max = THREADS,
					 .column_max = COLUMNS,
					 .windows = &windows };
	struct lanes lanes;

	vec_push(&windows.rows, (struct time_window){ 1234, 56789 });
	make(intervals, INTERVAL_COUNT);
	fill(&lanes, &options, intervals, INTERVAL_COUNT);
	cr_expect_eq(lanes.first_ns, 1234);
	cr_expect_eq(lanes.last_ns, 56789);
	check_lanes(&lanes, intervals, INTERVAL_COUNT, 1234, 56789);
	lanes_deinit(&lanes);
	vec_free(&windows.rows);
	memory_free(intervals);
}

Test(lanes, others_share_a_lane)
{
	struct schedule_interval *intervals = memory_alloc(INTERVAL_COUNT, sizeof(*intervals));
	struct lanes_options options = { .lane_max = 2, .column_max = COLUMNS, .windows = &all };
	uint64_t sum_ns = 0;
	uint64_t sums, drawn;
	struct lanes lanes;

	make(intervals, INTERVAL_COUNT);
	fill(&lanes, &options, intervals, INTERVAL_COUNT);
	cr_assert_eq(lanes.lanes.count, 3);
	cr_expect_eq(lanes.lanes.at[2].other_count, THREADS - 2);
	cr_expect_eq(lanes.lanes.at[2].spans.count, 0);
	check_lanes(&lanes, intervals, INTERVAL_COUNT, 0, LAST_NS);
	for (uint32_t tid = 100; tid < 100 + THREADS; tid++)
		if (lanes_find(&lanes, tid) == 2)
			sum_ns += expected_ns(intervals, INTERVAL_COUNT, tid, SCHEDULE_RUNNING, 0,
					      LAST_NS);
	sum_lane(&lanes, &lanes.lanes.at[2], SCHEDULE_RUNNING, &sums, &drawn);
	cr_expect_eq(sums, sum_ns);
	cr_expect_eq(drawn, sum_ns);
	lanes_deinit(&lanes);
	memory_free(intervals);
}

/* Lanes of CPUs contain only running threads; their kinds are comms. */
Test(lanes, by_cpu)
{
	struct schedule_interval intervals[] = {
		{ .from_ns = 0, .to_ns = 400000, .tid = 100, .cpu = 5 },
		{ .from_ns = 400000, .to_ns = 600000, .tid = 101, .cpu = 5 },
		{ .from_ns = 400000,
		  .to_ns = 900000,
		  .tid = 100,
		  .cpu = 1,
		  .state = SCHEDULE_BLOCKED },
		{ .from_ns = 0, .to_ns = 10, .tid = 102, .cpu = 1 },
		{ .from_ns = 700000, .to_ns = 800000, .tid = 999, .cpu = 1 },
	};
	struct lanes_options options = {
		.by = LANES_BY_CPU, .lane_max = 9, .column_max = 10, .windows = &all
	};
	struct lanes lanes;

	fill(&lanes, &options, intervals, ARRAY_SIZE(intervals));
	cr_assert_eq(lanes.lanes.count, 2);
	cr_expect_eq(lanes.lanes.at[0].key, 1);
	cr_expect_eq(lanes.lanes.at[0].weight_ns, 10);
	cr_expect_eq(lanes.lanes.at[1].key, 5);
	cr_expect_eq(lanes.lanes.at[1].weight_ns, 600000);
	cr_expect_eq(lanes.lanes.at[1].spans.count, 2);
	lanes_deinit(&lanes);
}

/* Ten years have as many columns as ten minutes. */
Test(lanes, long_times)
{
	uint64_t year_ns = (uint64_t)365 * 86400 * 1000000000;
	struct schedule_interval intervals[] = {
		{ .from_ns = 0, .to_ns = 10, .tid = 100 },
		{ .from_ns = 10 * year_ns, .to_ns = 10 * year_ns + 1, .tid = 100 },
		{ .from_ns = UINT64_MAX - 5, .to_ns = UINT64_MAX, .tid = 100 },
	};
	struct lanes_options options = { .lane_max = 9, .column_max = 100, .windows = &all };
	struct lanes lanes;

	lanes_init(&lanes, &options);
	lanes_thread(&lanes, 100)->is_selected = true;
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++)
		lanes_survey(&lanes, &intervals[i]);
	lanes_plan(&lanes, 0, UINT64_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++)
		lanes_add(&lanes, &intervals[i]);
	lanes_finish(&lanes);
	cr_expect_leq(lanes.column_count, 100);
	cr_expect_eq(lanes.lanes.at[0].cells.count, 3);
	cr_expect_eq(lanes.lanes.at[0].weight_ns, 16);
	lanes_deinit(&lanes);
}
