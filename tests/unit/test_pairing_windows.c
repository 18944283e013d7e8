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

/* Selects the threads with this tid or comm, on this CPU; 0 and NULL select all. */
struct filtered_trial {
	const char *what;
	uint32_t tid;
	const char *comm;
	uint32_t cpu; /* CPU number plus 1 */
	struct selection_range time;
	struct pairing_counts expected;
};

static void select_numbers(selection_ranges *ranges, uint64_t first, uint64_t last)
{
	vec_push(ranges, ((struct selection_range){ first, last }));
}

/*
 * Of thread 7, two waits end, one of which began before the capture. Thread 8 waits until the end.
 * Thread 9 runs until the end, and has no sample.
 */
static struct pairing_counts count_filtered(const struct filtered_trial *trial,
					    const struct process_state *state)
{
	const struct pairing_row rows[] = {
		row_on(1, row_switch(10, 0, "S", 7)), row_on(1, row_switch(20, 7, "S", 8)),
		row_on(1, row_switch(30, 8, "S", 0)), row_on(2, row_switch(40, 0, "S", 7)),
		row_on(2, row_switch(60, 7, "X", 9)),
	};
	struct selection selection = { .user_only = false };
	struct time_windows windows;
	struct pairing_plan plan = { .options = { .is_wall = true, .open = PAIRING_OPEN_EXCLUDE },
				     .windows = &windows,
				     .filter = { .selection = &selection, .state = state } };
	struct loss_spans losses = { 0 };
	struct pairing_result result;
	struct pairing_counts counts;

	if (trial->tid)
		select_numbers(&selection.tids, trial->tid, trial->tid);
	if (trial->cpu)
		select_numbers(&selection.cpus, trial->cpu - 1, trial->cpu - 1);
	if (trial->comm)
		vec_push(&selection.comms, name_pattern_literal(text_of(trial->comm)));
	if (trial->time.last)
		vec_push(&selection.times_ns, trial->time);
	time_windows_init(&windows, &selection);
	pairing_result_init(&result);
	pairing_run(&plan, rows, ARRAY_SIZE(rows), &losses, END_NS, &result);
	counts = result.counts;
	pairing_result_deinit(&result);
	time_windows_deinit(&windows);
	selection_deinit(&selection);
	return counts;
}

/* Counts are those of the threads, CPUs and times that the user selects. */
Test(pairing_windows, counts_are_of_selected_threads)
{
	static const struct filtered_trial trials[] = {
		{ .what = "all",
		  .expected = { .paired = 1,
				.open_at_start = 3,
				.open_left_out = 1,
				.unplaced_ns = 940 } },
		{ .what = "tid 7", .tid = 7, .expected = { .paired = 1, .open_at_start = 1 } },
		{ .what = "tid 8",
		  .tid = 8,
		  .expected = { .open_at_start = 1, .open_left_out = 1 } },
		{ .what = "tid 9",
		  .tid = 9,
		  .expected = { .open_at_start = 1, .unplaced_ns = 940 } },
		{ .what = "the comm of 7", .comm = "worker", .expected = { .paired = 1 } },
		{ .what = "the first comm of 7",
		  .comm = "new",
		  .expected = { .open_at_start = 1 } },
		{ .what = "CPU 0",
		  .cpu = 1,
		  .expected = { .paired = 1, .open_at_start = 2, .open_left_out = 1 } },
		{ .what = "CPU 1",
		  .cpu = 2,
		  .expected = { .open_at_start = 1, .unplaced_ns = 940 } },
		{ .what = "until 15", .time = { 1, 15 }, .expected = { .open_at_start = 2 } },
		{ .what = "tid 7, after it was switched out", .tid = 7, .time = { 50, 900 } },
	};
	struct strings strings;
	struct modules modules;
	struct process_state state;

	strings_init(&strings);
	modules_init(&modules);
	process_state_init(&state, &strings, &modules);
	process_history_comm(&state.history, 1, 7, 7, strings_intern_text(&strings, "new"), false);
	process_history_comm(&state.history, 15, 7, 7, strings_intern_text(&strings, "worker"),
			     false);
	for (size_t i = 0; i < ARRAY_SIZE(trials); i++) {
		const struct pairing_counts *expected = &trials[i].expected;
		struct pairing_counts counts = count_filtered(&trials[i], &state);

		cr_expect_eq(counts.paired, expected->paired, "%s", trials[i].what);
		cr_expect_eq(counts.open_at_start, expected->open_at_start, "%s: %lu",
			     trials[i].what, (unsigned long)counts.open_at_start);
		cr_expect_eq(counts.open_left_out, expected->open_left_out, "%s", trials[i].what);
		cr_expect_eq(counts.unplaced_ns, expected->unplaced_ns, "%s: %lu", trials[i].what,
			     (unsigned long)counts.unplaced_ns);
	}
	process_state_deinit(&state);
	modules_deinit(&modules);
	strings_deinit(&strings);
	assert_no_leaks();
}
