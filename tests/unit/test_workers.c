/* SPDX-License-Identifier: MIT */
#include "base/workers.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/attributes.h"
#include "tests/support/leaks.h"

#define TASKS_MAX 5000

struct tally {
	atomic_uint calls[TASKS_MAX];
	atomic_uint out_of_range;
};

static void count(void *context, size_t index)
{
	struct tally *tally = context;

	if (index < TASKS_MAX)
		atomic_fetch_add(&tally->calls[index], 1);
	else
		atomic_fetch_add(&tally->out_of_range, 1);
}

Test(workers, every_task_runs_once)
{
	static const unsigned thread_counts[] = { 0, 1, 2, 3, 7, LIMIT_WORKERS, 100000 };
	static const size_t task_counts[] = { 0, 1, 2, 8, TASKS_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(thread_counts); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(task_counts); k++) {
			static struct tally tally;

			memset(&tally, 0, sizeof(tally));
			workers_run(thread_counts[i], task_counts[k], count, &tally);
			for (size_t task = 0; task < TASKS_MAX; task++)
				cr_assert_eq(tally.calls[task], task < task_counts[k],
					     "task %zu of %zu, %u threads", task, task_counts[k],
					     thread_counts[i]);
			cr_expect_eq(tally.out_of_range, 0);
		}
	}
	assert_no_leaks();
}

struct meeting {
	atomic_uint present, most;
	unsigned expected;
};

/* Waits until the expected number of threads run at the same time, or for a while. */
static void meet(void *context, size_t index)
{
	struct meeting *meeting = context;
	unsigned here = atomic_fetch_add(&meeting->present, 1) + 1;
	unsigned most = atomic_load(&meeting->most);

	(void)index;
	while (here > most && !atomic_compare_exchange_weak(&meeting->most, &most, here))
		;
	for (int i = 0; i < 200000 && atomic_load(&meeting->most) < meeting->expected; i++)
		sched_yield();
	/* Long enough for a surplus thread to arrive. */
	usleep(2000);
	atomic_fetch_sub(&meeting->present, 1);
}

Test(workers, threads_work_at_the_same_time_and_are_no_more_than_asked)
{
	static const unsigned thread_counts[] = { 1, 2, 5 };

	for (size_t i = 0; i < ARRAY_SIZE(thread_counts); i++) {
		struct meeting meeting = { .expected = thread_counts[i] };

		workers_run(thread_counts[i], 20, meet, &meeting);
		cr_expect_eq(meeting.most, thread_counts[i], "%u threads: %u at once",
			     thread_counts[i], meeting.most);
	}
}

Test(workers, the_default_is_what_this_process_may_use)
{
	cpu_set_t one;
	int first = 0;

	cr_expect_geq(workers_default_count(), 1);
	cr_expect_leq(workers_default_count(), LIMIT_WORKERS);
	cr_assert_eq(sched_getaffinity(0, sizeof(one), &one), 0);
	while (!CPU_ISSET(first, &one))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	cr_expect_eq(workers_default_count(), 1);
}
