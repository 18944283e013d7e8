/* SPDX-License-Identifier: MIT */
/*
 * unit [--filter PATTERN]: every Test of the files it is linked with, each in a process of its own, or
 * those whose SUITE/NAME matches the shell pattern. Ends in the line of counts that Criterion ends in,
 * which tests/support/run-unit reads.
 */
#include <fnmatch.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/stand_in/criterion/criterion.h"

/* A test that hangs is ended, whether it computes or waits; emulated, on a machine that has other
 * things to do, the longest waits for minutes. */
#define CPU_SECONDS_MAX  300
#define WALL_SECONDS_MAX 1800
#define SLOT_COUNT_MAX   64
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
	/* Not _exit(): sanitizers then look for leaks. */
	exit(failure_count ? STATUS_FAILED : 0);
}

/* A test that runs, or ran, in a process of its own. */
struct running {
	const struct stand_in_test *test;
	pid_t process; /* 0: none */
};

struct counts {
	unsigned tested, passing, failing, crashing;
};

static void count_result(struct counts *counts, const struct stand_in_test *test, int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SKIPPED)
		return;
	counts->tested++;
	if (status == 0)
		counts->passing++;
	else if (WIFSIGNALED(status))
		counts->crashing++;
	else
		counts->failing++;
	if (status != 0)
		printf("FAIL %s/%s (status %x)\n", test->suite, test->name, (unsigned)status);
}

static void start(struct running *slot, const struct stand_in_test *test)
{
	fflush(NULL);
	*slot = (struct running){ .test = test, .process = fork() };
	if (slot->process == 0)
		run_here(test);
	if (slot->process < 0) {
		perror("unit");
		exit(2);
	}
}

/* Waits until one of the tests has ended. Returns its slot, which is free then. */
static struct running *wait_for_one(struct running *slots, size_t slot_count, struct counts *counts)
{
	int status = -1;
	pid_t process = waitpid(-1, &status, 0);

	for (size_t i = 0; process > 0 && i < slot_count; i++) {
		if (slots[i].process != process)
			continue;
		slots[i].process = 0;
		count_result(counts, slots[i].test, status);
		return &slots[i];
	}
	perror("unit");
	exit(2);
}

static bool is_wanted(const struct stand_in_test *test, const char *pattern)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/%s", test->suite, test->name);
	return fnmatch(pattern, name, 0) == 0;
}

/* An emulator runs each process on one CPU only, so as many tests run at a time as there are CPUs. */
int main(int argc, char **argv)
{
	bool has_filter = argc == 3 && strcmp(argv[1], "--filter") == 0;
	const char *pattern = has_filter ? argv[2] : "*";
	struct running slots[SLOT_COUNT_MAX] = { 0 };
	long cpu_count = sysconf(_SC_NPROCESSORS_ONLN);
	size_t slot_count = cpu_count < 1                ? 1
			    : cpu_count > SLOT_COUNT_MAX ? SLOT_COUNT_MAX
							 : (size_t)cpu_count;
	size_t running_count = 0;
	struct counts counts = { 0 };

	if (argc > 1 && !has_filter) {
		fprintf(stderr, "usage: unit [--filter PATTERN]\n");
		return 2;
	}
	for (const struct stand_in_test *test = first_test; test; test = test->next) {
		struct running *slot = &slots[running_count];

		if (!is_wanted(test, pattern))
			continue;
		if (running_count < slot_count)
			running_count++;
		else
			slot = wait_for_one(slots, slot_count, &counts);
		start(slot, test);
	}
	for (; running_count; running_count--)
		wait_for_one(slots, slot_count, &counts);
	printf("Tested: %u | Passing: %u | Failing: %u | Crashing: %u\n", counts.tested,
	       counts.passing, counts.failing, counts.crashing);
	return counts.failing || counts.crashing;
}
