/* SPDX-License-Identifier: MIT */
#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/memory.h"

struct pool {
	workers_function *function;
	void *context;
	size_t task_count;
	atomic_size_t next;
};

unsigned workers_default_count(void)
{
	cpu_set_t allowed;
	long count;

	/*
	 * sched_getaffinity() fails on machines with more than 1024 CPUs, because cpu_set_t has
	 * only 1024 bits.
	 */
	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		count = CPU_COUNT(&allowed);
	else
		count = sysconf(_SC_NPROCESSORS_ONLN);
	if (count < 1)
		count = 1;
	return (unsigned)count < LIMIT_WORKERS ? (unsigned)count : LIMIT_WORKERS;
}

static void *work(void *argument)
{
	struct pool *pool = argument;
	size_t index;

	while ((index = atomic_fetch_add(&pool->next, 1)) < pool->task_count)
		pool->function(pool->context, index);
	return NULL;
}

void workers_run(unsigned thread_count, size_t task_count, workers_function *function,
		 void *context)
{
	struct pool pool = { .function = function, .context = context, .task_count = task_count };
	pthread_t threads[LIMIT_WORKERS];
	unsigned started = 0;

	if (thread_count > LIMIT_WORKERS)
		thread_count = LIMIT_WORKERS;
	/* The calling thread also works. If a thread cannot be started, the others do its share. */
	while (started + 1 < thread_count && started + 1 < task_count) {
		if (pthread_create(&threads[started], NULL, work, &pool) != 0)
			break;
		started++;
	}
	work(&pool);
	while (started)
		pthread_join(threads[--started], NULL);
}
