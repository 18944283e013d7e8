/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "offcpu/pairing.h"
#include "tests/support/leaks.h"
#include "tests/support/row_maker.h"

#define END_NS 1000

struct expected {
	uint64_t begin_ns, duration_ns;
	enum interval_mark mark;
};

struct trial {
	const char *what;
	struct pairing_options options;
	struct selection_range ranges[2]; /* 0, 0: only one range */
	struct expected expected[3];      /* in order of begin; duration 0 at the end */
	struct pairing_counts counts;
};

/*
 * Thread 7 waits from 100 to 300 and is woken at 250; 8 waits from 150 on and is never switched in;
 * 9 waits from 400 to 410.
 */
static struct pairing_result pair(const struct trial *trial)
{
	struct pairing_row rows[] = {
		row_switch(100, 7, "S", 8), row_switch(150, 8, "D", 0), row_wake(250, 0, 7),
		row_switch(300, 0, "R", 7), row_switch(390, 7, "X", 9), row_switch(400, 9, "S", 0),
		row_switch(410, 0, "R", 9),
	};
	struct selection selection = { .user_only = false };
	struct time_windows windows;
	struct pairing_plan plan = { .options = trial->options, .windows = &windows };
	struct loss_spans losses = { 0 };
	struct pairing_result result;

	vec_push(&selection.times_ns, trial->ranges[0]);
	if (trial->ranges[1].last)
		vec_push(&selection.times_ns, trial->ranges[1]);
	time_windows_init(&windows, &selection);
	pairing_result_init(&result);
	pairing_run(&plan, rows, ARRAY_SIZE(rows), &losses, END_NS, &result);
	time_windows_deinit(&windows);
	selection_deinit(&selection);
	return result;
}

static void judge(const struct trial *trial)
{
	struct pairing_result result = pair(trial);

	for (size_t i = 0; i < ARRAY_SIZE(trial->expected); i++) {
		const struct expected *expected = &trial->expected[i];

		if (!expected->duration_ns) {
			cr_expect_eq(result.intervals.count, i, "%s: %zu", trial->what,
				     result.intervals.count);
			break;
		}
		cr_assert_lt(i, result.intervals.count, "%s", trial->what);
		cr_expect_eq(result.intervals.at[i].offset, expected->begin_ns * 10, "%s",
			     trial->what);
		cr_expect_eq(result.intervals.at[i].duration_ns, expected->duration_ns, "%s: %lu",
			     trial->what, (unsigned long)result.intervals.at[i].duration_ns);
		cr_expect_eq(result.intervals.at[i].mark, expected->mark, "%s", trial->what);
	}
	cr_expect_eq(result.counts.open_counted, trial->counts.open_counted, "%s", trial->what);
	cr_expect_eq(result.counts.open_left_out, trial->counts.open_left_out, "%s", trial->what);
	cr_expect_eq(result.counts.open_at_start, trial->counts.open_at_start, "%s", trial->what);
	pairing_result_deinit(&result);
}

Test(pairing_windows, a_wait_counts_for_its_part)
{
	static const struct trial trials[] = {
		{ .what = "spans the window, and so does one that never ends",
		  .ranges = { { 200, 240 } },
		  .expected = { { 100, 40, INTERVAL_PLAIN }, { 150, 40, INTERVAL_PLAIN } },
		  .counts = { .open_counted = 1, .open_at_start = 1 } },
		{ .what = "began before, or ended after",
		  .ranges = { { 280, 405 } },
		  .expected = { { 100, 20, INTERVAL_PLAIN },
				{ 150, 125, INTERVAL_PLAIN },
				{ 400, 5, INTERVAL_PLAIN } },
		  .counts = { .open_counted = 1, .open_at_start = 1 } },
		{ .what = "several windows",
		  .ranges = { { 0, 120 }, { 290, 310 } },
		  .expected = { { 100, 20 + 10, INTERVAL_PLAIN }, { 150, 20, INTERVAL_PLAIN } },
		  .counts = { .open_counted = 1, .open_at_start = 1 } },
		{ .what = "behind the end",
		  .ranges = { { 900, 5000 } },
		  .expected = { { 150, 100, INTERVAL_PLAIN } },
		  .counts = { .open_counted = 1 } },
		{ .what = "before all", .ranges = { { 0, 100 } } },
		{ .what = "what never ends is not to count",
		  .options = { .open = PAIRING_OPEN_EXCLUDE },
		  .ranges = { { 200, 240 } },
		  .expected = { { 100, 40, INTERVAL_PLAIN } },
		  .counts = { .open_left_out = 1, .open_at_start = 1 } },
		{ .what = "shortest and longest are of the whole wait",
		  .options = { .shortest_ns = 150, .longest_ns = 250 },
		  .ranges = { { 200, 240 } },
		  .expected = { { 100, 40, INTERVAL_PLAIN } },
		  .counts = { .open_at_start = 1 } },
		{ .what = "the run queue, of which more is in the window",
		  .options = { .has_run_queue = true, .open = PAIRING_OPEN_EXCLUDE },
		  .ranges = { { 240, 290 } },
		  .expected = { { 100, 10, INTERVAL_PLAIN }, { 100, 40, INTERVAL_RUN_QUEUE } },
		  .counts = { .open_left_out = 1, .open_at_start = 1 } },
		{ .what = "latencies are whole, and none before there is an end",
		  .options = { .groups_by_duration = true },
		  .ranges = { { 200, 240 } },
		  .expected = { { 100, 200, INTERVAL_PLAIN } },
		  .counts = { .open_left_out = 1, .open_at_start = 1 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		judge(&trials[i]);
	assert_no_leaks();
}
