/* SPDX-License-Identifier: MIT */
#include "offcpu/task_workers.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/row_maker.h"

#define SWITCHES     30000u
#define THREADS      50u
#define CPUS         2u
#define COMMS        7u
#define MISSING_NONE UINT32_MAX

/*
 * Threads take turns on the CPUs, and are woken before they run again. One switch in missing_every
 * is left out.
 */
static void make_rows(uint32_t missing_every, pairing_row_list *ret)
{
	uint32_t on_cpu[CPUS] = { 0 };
	uint32_t next = 1;

	*ret = (pairing_row_list){ 0 };
	for (uint32_t i = 0; i < SWITCHES; i++) {
		uint32_t cpu = i * 2654435761u >> 31;
		uint64_t time_ns = 1000 + i * 100 + i % 37;
		const char *state = i % 5 ? "S" : "R+";

		if (on_cpu[0] != next && on_cpu[1] != next) {
			vec_push(ret, row_wake(time_ns - 30, on_cpu[1 - cpu], next));
			if (i % missing_every)
				vec_push(ret,
					 row_on((uint16_t)(cpu + 1),
						row_switch(time_ns, on_cpu[cpu], state, next)));
			on_cpu[cpu] = next;
		}
		next = next % THREADS + 1;
	}
}

static void run(uint32_t missing_every, enum task_by by, unsigned thread_count,
		struct task_stats *ret)
{
	struct task_workers workers;
	pairing_row_list rows;

	make_rows(missing_every, &rows);
	task_stats_init(ret, by);
	task_workers_init(&workers, &rows, thread_count, ret);
	for (uint32_t i = 0; i < ret->threads.count; i++) {
		struct task_thread *thread = &ret->threads.at[i];

		thread->comm = thread->process = (str_id){ thread->tid % COMMS + 1 };
		thread->pid = thread->tid % COMMS + 1;
	}
	task_workers_run(&workers);
	task_workers_deinit(&workers);
	vec_free(&rows);
	task_stats_finish(ret, thread_count);
}

static void expect_equal(const struct task_stats *stats, const struct task_stats *expected)
{
	cr_expect_eq(stats->missing_count, expected->missing_count);
	cr_expect_eq(stats->open_delay_count, expected->open_delay_count);
	cr_expect_eq(stats->reused_count, expected->reused_count);
	cr_assert_eq(stats->rows.count, expected->rows.count);
	for (size_t i = 0; i < stats->rows.count; i++) {
		struct task_row row = stats->rows.at[i];
		struct task_row other = expected->rows.at[i];

		cr_assert_eq(row.delays_ns.count, other.delays_ns.count);
		cr_expect(!row.delays_ns.count ||
				  memcmp(row.delays_ns.at, other.delays_ns.at,
					 row.delays_ns.count * sizeof(*row.delays_ns.at)) == 0,
			  "row %zu", i);
		row.delays_ns = other.delays_ns;
		cr_expect_eq(memcmp(&row, &other, sizeof(row)), 0, "row %zu", i);
	}
}

/* The result must be the same for any number of workers. */
Test(task_workers, one_and_several)
{
	static const uint32_t missing[] = { MISSING_NONE, 1000, 9 };
	struct task_stats one, several;

	for (size_t i = 0; i < ARRAY_SIZE(missing); i++)
		for (enum task_by by = TASK_BY_THREAD; by <= TASK_BY_WAKER; by++) {
			run(missing[i], by, 1, &one);
			cr_assert(one.rows.count, "%zu %d", i, by);
			for (unsigned thread_count = 2; thread_count <= 3; thread_count++) {
				run(missing[i], by, thread_count, &several);
				expect_equal(&several, &one);
				task_stats_deinit(&several);
			}
			task_stats_deinit(&one);
		}
	assert_no_leaks();
}

Test(task_workers, threads_in_the_order_of_their_first_row)
{
	for (unsigned thread_count = 1; thread_count <= 3; thread_count++) {
		struct task_workers workers;
		struct task_stats stats;
		pairing_row_list rows;

		make_rows(MISSING_NONE, &rows);
		vec_push(&rows, row_switch(10000000, 999, "S", 998));
		task_stats_init(&stats, TASK_BY_THREAD);
		task_workers_init(&workers, &rows, thread_count, &stats);
		cr_assert_eq(stats.threads.count, THREADS + 3);
		for (uint32_t i = 0; i <= THREADS; i++)
			cr_expect_eq(stats.threads.at[i].tid, i);
		cr_expect_eq(stats.threads.at[THREADS + 1].tid, 999);
		cr_expect_eq(stats.threads.at[THREADS + 2].tid, 998);
		task_workers_deinit(&workers);
		task_stats_deinit(&stats);
		vec_free(&rows);
	}
	assert_no_leaks();
}

/* Memory must not grow with both the number of threads and the number of workers. */
Test(task_workers, few_workers_for_many_threads)
{
	static const struct {
		size_t row_count;
		uint32_t threads;
		unsigned jobs, expected;
	} trials[] = {
		{ 1000000, 100, 8, 8 },      { 1000000, 100, 256, 51 },
		{ 19999, 100, 8, 1 },        { 1000000, 199999, 256, 5 },
		{ 1000000, 500000, 256, 1 }, { 1000000, 1999999, 256, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++) {
		pairing_row_list rows = { .count = trials[i].row_count };
		struct task_stats stats;

		task_stats_init(&stats, TASK_BY_THREAD);
		for (uint32_t tid = 1; tid <= trials[i].threads; tid++)
			(void)task_stats_thread(&stats, tid);
		cr_expect_eq(task_workers_count(&rows, trials[i].jobs, &stats), trials[i].expected,
			     "row %zu", i);
		task_stats_deinit(&stats);
	}
	assert_no_leaks();
}

/*
 * The waker of a wake-up may be unknown. Such a waker is no thread, unless a switch has the same
 * tid.
 */
Test(task_workers, unknown_wakers)
{
	for (unsigned is_thread = 0; is_thread < 2; is_thread++)
		for (unsigned thread_count = 1; thread_count <= 2; thread_count++) {
			struct task_workers workers;
			struct task_stats stats;
			pairing_row_list rows;

			make_rows(MISSING_NONE, &rows);
			for (size_t i = 0; i < rows.count; i++)
				if (rows.at[i].role == PAIRING_WAKE)
					rows.at[i].previous = EVENT_NO_TID;
			if (is_thread)
				vec_push(&rows, row_switch(10000000, EVENT_NO_TID, "S", 1));
			task_stats_init(&stats, TASK_BY_WAKER);
			task_workers_init(&workers, &rows, thread_count, &stats);
			cr_expect_eq(stats.threads.count, THREADS + 1 + is_thread);
			for (uint32_t i = 0; i < stats.threads.count; i++)
				stats.threads.at[i].comm = (str_id){ i == THREADS + 1 ? 2 : 1 };
			task_workers_run(&workers);
			task_stats_finish(&stats, thread_count);
			/* The wait before the first run of a thread has no known end. */
			cr_assert_eq(stats.rows.count, 2);
			for (size_t i = 0; i < 2; i++)
				cr_expect(stats.rows.at[i].other == TASK_NONE ||
					  stats.rows.at[i].other == (is_thread ? 2 : 0));
			task_workers_deinit(&workers);
			task_stats_deinit(&stats);
			vec_free(&rows);
		}
	assert_no_leaks();
}

/* States are inferred only if few switches are missing. */
Test(task_workers, missing_switches)
{
	static const uint32_t missing[] = { MISSING_NONE, 1000, 9 };
	uint64_t unknown_ns[ARRAY_SIZE(missing)] = { 0 };
	uint64_t missing_counts[ARRAY_SIZE(missing)];
	struct task_stats stats;

	for (size_t i = 0; i < ARRAY_SIZE(missing); i++) {
		run(missing[i], TASK_BY_THREAD, 2, &stats);
		for (size_t row = 0; row < stats.rows.count; row++)
			unknown_ns[i] += stats.rows.at[row].unknown_ns;
		missing_counts[i] = stats.missing_count;
		task_stats_deinit(&stats);
	}
	cr_expect_eq(missing_counts[0], 0);
	cr_expect_eq(unknown_ns[0], 0);
	cr_expect(missing_counts[1] > 0 && missing_counts[2] > 50 * missing_counts[1]);
	/* Without inference, all of a thread's time since its last event is unknown. */
	cr_expect(unknown_ns[2] / missing_counts[2] * 2 > unknown_ns[1] / missing_counts[1] * 3,
		  "%lu %lu", (unsigned long)(unknown_ns[1] / missing_counts[1]),
		  (unsigned long)(unknown_ns[2] / missing_counts[2]));
	assert_no_leaks();
}
