/* SPDX-License-Identifier: MIT */
/*
 * run_tests: every Test of the files it is linked with, one after the other, each in a process of its own.
 * Ends in the line of counts that Criterion ends in, which tests/support/run-unit reads.
 */
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cross/criterion/criterion.h"

/* A test that hangs is ended, whether it computes or waits; emulated, on a machine that has other
 * things to do, the longest waits for minutes. */
#define CPU_SECONDS_MAX  300
#define WALL_SECONDS_MAX 1800
#define STATUS_FAILED    1
#define STATUS_SKIPPED   77

static struct stand_in_test *first_test;
static unsigned failure_count;

void stand_in_register(struct stand_in_test *test)
{
	test->next = first_test;
	first_test = test;
}

void stand_in_judge(bool holds, bool is_fatal, const char *file, int line, const char *expression,
		    ...)
{
	const char *format;
	va_list arguments;

	if (holds)
		return;
	failure_count++;
	printf("%s:%d: does not hold: %s\n", file, line, expression);
	va_start(arguments, expression);
	format = va_arg(arguments, const char *);
	if (format) {
		vprintf(format, arguments);
		printf("\n");
	}
	va_end(arguments);
	if (!is_fatal)
		return;
	fflush(NULL);
	_exit(STATUS_FAILED);
}

void stand_in_skip(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(NULL);
	_exit(STATUS_SKIPPED);
}

static void run_here(const struct stand_in_test *test)
{
	setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS_MAX, CPU_SECONDS_MAX });
	alarm(WALL_SECONDS_MAX);
	if (test->options.init)
		test->options.init();
	test->run();
	if (test->options.fini)
		test->options.fini();
	fflush(NULL);
	_exit(failure_count ? STATUS_FAILED : 0);
}

/* The wait status of a process that ran the test. */
static int run_apart(const struct stand_in_test *test)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		run_here(test);
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("run_tests");
		exit(2);
	}
	return status;
}

int main(void)
{
	unsigned tested = 0, passing = 0, failing = 0, crashing = 0;

	for (const struct stand_in_test *test = first_test; test; test = test->next) {
		int status = run_apart(test);

		if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SKIPPED)
			continue;
		tested++;
		if (status == 0) {
			passing++;
			continue;
		}
		if (WIFSIGNALED(status))
			crashing++;
		else
			failing++;
		printf("FAIL %s/%s (status %x)\n", test->suite, test->name, (unsigned)status);
	}
	printf("Tested: %u | Passing: %u | Failing: %u | Crashing: %u\n", tested, passing, failing,
	       crashing);
	return failing || crashing;
}
