/* SPDX-License-Identifier: MIT */
#include "offcpu/task_stats.h"

#include <criterion/criterion.h>

#include "libparse/event.h"
#include "tests/support/leaks.h"

/*
 * CPU 0: 7 runs from 0, is preempted by 8 at 100, 8 blocks at 150 and 7 runs again. 7 wakes 8 at
 * 200, and blocks at 230. 8 runs on CPU 1 from 210, and exits at 260; a new thread 8 runs at 300.
 */
static const struct schedule_event switches[] = {
	{ .time_ns = 0, .kind = SCHEDULE_SWITCH, .next_tid = 7, .task_state = 'R' },
	{ .time_ns = 100, .kind = SCHEDULE_SWITCH, .tid = 7, .next_tid = 8, .task_state = 'R' },
	{ .time_ns = 150, .kind = SCHEDULE_SWITCH, .tid = 8, .next_tid = 7, .task_state = 'S' },
	{ .time_ns = 200,
	  .kind = SCHEDULE_WAKE,
	  .tid = 7,
	  .next_tid = 8,
	  .waker = SCHEDULE_WAKER_THREAD },
	{ .time_ns = 210, .kind = SCHEDULE_SWITCH, .next_tid = 8, .cpu = 1, .task_state = 'R' },
	{ .time_ns = 230, .kind = SCHEDULE_SWITCH, .tid = 7, .task_state = 'D' },
	{ .time_ns = 260, .kind = SCHEDULE_SWITCH, .tid = 8, .cpu = 1, .task_state = 'X' },
	{ .time_ns = 300, .kind = SCHEDULE_SWITCH, .next_tid = 8, .cpu = 1, .task_state = 'R' },
	{ .time_ns = 310, .kind = SCHEDULE_SWITCH, .tid = 8, .cpu = 1, .task_state = 'S' },
};

static void run_events(struct task_stats *stats, const struct schedule_event *events, size_t count)
{
	const struct schedule_sink sink = { .context = stats,
					    .on_interval = task_stats_on_interval };
	struct schedule schedule;

	for (uint32_t tid = 7; tid <= 8; tid++) {
		uint32_t index = task_stats_thread(stats, tid);
		struct task_thread *thread = &stats->threads.at[index];

		thread->comm = thread->process = (str_id){ tid + 100 };
		thread->pid = 7;
	}
	schedule_init(&schedule, &sink, 0, SCHEDULE_SWITCHES);
	for (size_t i = 0; i < count; i++) {
		task_stats_on_event(stats, &events[i]);
		schedule_add(&schedule, &events[i]);
	}
	schedule_finish(&schedule, 310);
	schedule_deinit(&schedule);
	task_stats_finish(stats, 1);
}

static void run(struct task_stats *stats, enum task_by by, const struct time_windows *windows)
{
	task_stats_init(stats, by);
	stats->windows = windows;
	run_events(stats, switches, ARRAY_SIZE(switches));
}

static const struct task_row *find(const struct task_stats *stats, uint32_t key, uint32_t other)
{
	static const struct task_row none = { .key = TASK_NONE };

	for (size_t i = 0; i < stats->rows.count; i++)
		if (stats->rows.at[i].key == key && stats->rows.at[i].other == other)
			return &stats->rows.at[i];
	cr_expect(false, "there is no row %u, %u", key, other);
	return &none;
}

Test(task_stats, of_threads)
{
	struct task_stats stats;
	const struct task_row *row;

	run(&stats, TASK_BY_THREAD, NULL);
	cr_expect_eq(stats.rows.count, 2);
	row = find(&stats, task_stats_thread(&stats, 7), TASK_NONE);
	cr_expect_eq(row->run_ns, 100 + 80);
	cr_expect_eq(row->run_count, 2);
	cr_expect_eq(row->longest_run_ns, 100);
	cr_expect_eq(row->blocked_ns, 80);
	cr_expect_eq(row->delay_ns, 50);
	cr_expect_eq(row->longest_delay_at_ns, 100);
	cr_expect_eq(row->preempted_count, 1);
	cr_expect_eq(row->migration_count, 0);
	row = find(&stats, task_stats_thread(&stats, 8), TASK_NONE);
	cr_expect_eq(row->run_ns, 50 + 50 + 10);
	cr_expect_eq(row->delays_ns.count, 1);
	cr_expect_eq(row->delay_ns, 10);
	cr_expect_eq(row->migration_count, 1);
	cr_expect_eq(stats.reused_count, 1);
	task_stats_deinit(&stats);
	assert_no_leaks();
}

/* A preempted thread that does not run again was preempted, but the delay is not known. */
Test(task_stats, preempted_last)
{
	struct task_stats stats;
	const struct task_row *row;

	task_stats_init(&stats, TASK_BY_THREAD);
	run_events(&stats, switches, 2);
	row = find(&stats, task_stats_thread(&stats, 7), TASK_NONE);
	cr_expect_eq(row->preempted_count, 1);
	cr_expect_eq(row->delays_ns.count, 0);
	cr_expect_eq(stats.open_delay_count, 1);
	task_stats_deinit(&stats);
	assert_no_leaks();
}

/* A tid that is not selected is in no row and in no note. */
Test(task_stats, of_selected_threads)
{
	struct task_stats stats;

	task_stats_init(&stats, TASK_BY_THREAD);
	stats.threads.at[task_stats_thread(&stats, 8)].is_selected = false;
	run_events(&stats, switches, ARRAY_SIZE(switches));
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(stats.reused_count, 0);
	task_stats_deinit(&stats);
	assert_no_leaks();
}

Test(task_stats, of_pairs_and_cpus)
{
	struct task_stats stats;

	run(&stats, TASK_BY_PREEMPTION, NULL);
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(find(&stats, 107, 108)->delay_ns, 50);
	task_stats_deinit(&stats);
	run(&stats, TASK_BY_WAKER, NULL);
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(find(&stats, 108, 107)->delay_ns, 10);
	task_stats_deinit(&stats);
	run(&stats, TASK_BY_CPU, NULL);
	cr_expect_eq(find(&stats, 0, TASK_NONE)->run_ns, 230);
	cr_expect_eq(find(&stats, 1, TASK_NONE)->run_ns, 60);
	task_stats_deinit(&stats);
	run(&stats, TASK_BY_PROCESS, NULL);
	cr_expect_eq(find(&stats, 7, 107)->run_ns, 180);
	task_stats_deinit(&stats);
	assert_no_leaks();
}

/* The first delay of a thread counts for the CPU on which it then runs. */
Test(task_stats, first_delay)
{
	static const struct schedule_event of_new_thread[] = {
		{ .time_ns = 100, .kind = SCHEDULE_WAKE, .tid = 7, .next_tid = 8 },
		{ .time_ns = 130, .kind = SCHEDULE_SWITCH, .next_tid = 8, .cpu = 1 },
		{ .time_ns = 190, .kind = SCHEDULE_SWITCH, .tid = 8, .cpu = 1, .task_state = 'X' },
	};
	struct task_stats stats;

	task_stats_init(&stats, TASK_BY_CPU);
	run_events(&stats, of_new_thread, ARRAY_SIZE(of_new_thread));
	cr_expect_eq(stats.rows.count, 1);
	cr_expect_eq(find(&stats, 1, TASK_NONE)->run_ns, 60);
	cr_expect_eq(find(&stats, 1, TASK_NONE)->delay_ns, 30);
	task_stats_deinit(&stats);
	assert_no_leaks();
}

/* Runs are clipped; a delay counts where it begins. */
Test(task_stats, in_a_window)
{
	struct selection selection = { 0 };
	struct time_windows windows;
	struct task_stats stats;
	const struct task_row *row;

	vec_push(&selection.times_ns, (struct selection_range){ 120, 204 });
	time_windows_init(&windows, &selection);
	run(&stats, TASK_BY_THREAD, &windows);
	row = find(&stats, task_stats_thread(&stats, 7), TASK_NONE);
	cr_expect_eq(row->run_ns, 54);
	cr_expect_eq(row->delays_ns.count, 0);
	row = find(&stats, task_stats_thread(&stats, 8), TASK_NONE);
	cr_expect_eq(row->run_ns, 30);
	cr_expect_eq(row->delay_ns, 10);
	task_stats_deinit(&stats);
	time_windows_deinit(&windows);
	selection_deinit(&selection);
	assert_no_leaks();
}

/* A quantile is a delay that occurred. */
Test(task_stats, quantiles)
{
	uint64_t delays_ns[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	struct task_row row = { .delays_ns = { delays_ns, 10, 10 } };

	cr_expect_eq(task_row_quantile(&row, 0.5), 5);
	cr_expect_eq(task_row_quantile(&row, 0.51), 6);
	cr_expect_eq(task_row_quantile(&row, 0.99), 10);
	cr_expect_eq(task_row_quantile(&row, 0), 1);
	row.delays_ns.count = 0;
	cr_expect_eq(task_row_quantile(&row, 0.5), 0);
}
