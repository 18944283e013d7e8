/* SPDX-License-Identifier: MIT */
/*
 * A server of 8 threads that share a log. Once a second, one of them holds the lock of the log for
 * 50 ms while it writes and calls fsync, so that all the others wait. docs/time.md looks for the
 * cause. Recorded with
 *
 *     perf record -c 1 -e cpu-clock/freq=999/ -e sched:sched_switch -e sched:sched_waking -a -g ./stall
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 8
#define WORKERS 8

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd;
static char block[1 << 20];
static volatile unsigned sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void handle_request(void)
{
	unsigned x = 1;

	for (int i = 0; i < 200000; i++)
		x = x * 1664525 + 1013904223;
	sink = x;
}

__attribute__((noinline)) static void write_entry(void)
{
	pthread_mutex_lock(&log_lock);
	for (volatile int i = 0; i < 2000; i++)
		;
	pthread_mutex_unlock(&log_lock);
}

__attribute__((noinline)) static void rotate_log(void)
{
	double end = now() + 0.05;

	pthread_mutex_lock(&log_lock);
	lseek(log_fd, 0, SEEK_SET);
	do {
		for (int i = 0; i < 4; i++)
			if (write(log_fd, block, sizeof(block)) < 0)
				abort();
		fsync(log_fd);
	} while (now() < end);
	pthread_mutex_unlock(&log_lock);
}

static void *work(void *argument)
{
	intptr_t number = (intptr_t)argument;
	double rotation = now() + 1;
	double end = now() + SECONDS;
	char name[16];

	snprintf(name, sizeof(name), "worker-%d", (int)number);
	pthread_setname_np(pthread_self(), name);
	while (now() < end) {
		handle_request();
		write_entry();
		usleep(2000);
		if (number != 3 || now() < rotation)
			continue;
		rotate_log();
		rotation += 1;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[WORKERS];

	log_fd = open("stall.log", O_RDWR | O_CREAT, 0600);
	for (intptr_t i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
