/* SPDX-License-Identifier: MIT */
/*
 * unit [--filter PATTERN] [--without SUITE,...]: runs every Test that is linked into this program, or
 * those whose SUITE/NAME matches the shell pattern, without those of some suites. The last line has the counts, as that of Criterion, which
 * tests/support/run-unit reads.
 *
 * A process runs up to BATCH_MAX tests: emulators translate, and sanitizers copy, everything again for
 * each process. If a test ends its process, the next process begins with the test after it:
 *
 *     tests      a b c d e f g h
 *     process 1  . . X             c failed an assertion
 *     process 2        . . . . .
 */
#include <fnmatch.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/stand_in/criterion/criterion.h"

/* A test that hangs is ended, whether it computes or waits. The longest test waits for minutes if
 * it is emulated on a busy machine. */
#define CPU_SECONDS_MAX  300
#define WALL_SECONDS_MAX 1800
#define SLOT_COUNT_MAX   64
#define BATCH_MAX        32
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
	fflush(NULL);
	if (is_fatal)
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
	/* Not _exit(): sanitizers look for leaks of the tests before this one. */
	exit(STATUS_SKIPPED);
}

/*
 * Suites whose tests need a process of their own. They change its limits, descriptors, rights,
 * environment or memory, or they start a service: kiln does so before it has threads, and qemu has
 * crashed in a process that was forked after a test with threads.
 */
static bool needs_process(const struct stand_in_test *test)
{
	static const char *const suites[] = {
		"dwarf",          "file_rights",   "helper_process",  "input",
		"kernel_inlines", "mangled_names", "marks",           "memory",
		"output",         "prefetch",      "reading_reserve", "relocation",
		"root_service",   "sandbox",       "self_inlining",   "standard_streams",
		"time_of_day",    "time_span",     "unfinished_file",
	};

	for (size_t i = 0; i < sizeof(suites) / sizeof(*suites); i++)
		if (strcmp(test->suite, suites[i]) == 0)
			return true;
	return false;
}

enum outcome {
	OUTCOME_NONE,
	OUTCOME_PASSED,
	OUTCOME_FAILED,
};

/* The tests to run, and what processes write about them. */
struct plan {
	const struct stand_in_test **tests;
	size_t count, next;
	unsigned char *outcomes; /* enum outcome of each test; shared */
};

/* A process that runs these tests, or ran them. */
struct batch {
	size_t begin, end;
	pid_t process; /* 0: none */
};

struct counts {
	unsigned tested, passing, failing, crashing;
};

/* Limits the CPU time of the next test. */
static void limit_time(void)
{
	struct rusage used;
	struct rlimit limit;

	getrusage(RUSAGE_SELF, &used);
	getrlimit(RLIMIT_CPU, &limit);
	limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + CPU_SECONDS_MAX;
	setrlimit(RLIMIT_CPU, &limit);
	alarm(WALL_SECONDS_MAX);
}

static void run_here(const struct plan *plan, const struct batch *batch)
{
	pid_t process = getpid();

	for (size_t i = batch->begin; i < batch->end; i++) {
		const struct stand_in_test *test = plan->tests[i];

		failure_count = 0;
		limit_time();
		if (test->options.init)
			test->options.init();
		test->run();
		if (test->options.fini)
			test->options.fini();
		/* A child that a test forked must not run the tests after it. */
		if (getpid() != process)
			_exit(STATUS_FAILED);
		plan->outcomes[i] = failure_count ? OUTCOME_FAILED : OUTCOME_PASSED;
	}
	/* Not _exit(): sanitizers then look for leaks. */
	exit(0);
}

/* status: of a process that this test ended; 0: the test came to its end */
static void count_result(struct counts *counts, const struct stand_in_test *test, bool has_passed,
			 int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SKIPPED)
		return;
	counts->tested++;
	if (has_passed)
		counts->passing++;
	else if (WIFSIGNALED(status))
		counts->crashing++;
	else
		counts->failing++;
	if (has_passed)
		return;
	printf("FAIL %s/%s", test->suite, test->name);
	if (status)
		printf(" (status %x)", (unsigned)status);
	printf("\n");
}

static void start(const struct plan *plan, struct batch *batch)
{
	fflush(NULL);
	batch->process = fork();
	if (batch->process == 0)
		run_here(plan, batch);
	if (batch->process < 0) {
		perror("unit");
		exit(2);
	}
}

/*
 * Counts the tests of a process that ended with this status. Returns whether tests are left, which
 * are then the batch.
 */
static bool count_batch(const struct plan *plan, struct batch *batch, int status,
			struct counts *counts)
{
	size_t i = batch->begin;

	batch->process = 0;
	for (; i < batch->end && plan->outcomes[i] != OUTCOME_NONE; i++)
		count_result(counts, plan->tests[i], plan->outcomes[i] == OUTCOME_PASSED, 0);
	if (i < batch->end) {
		count_result(counts, plan->tests[i++], false, status);
	} else if (status != 0) {
		/* A sanitizer found a leak. */
		counts->failing++;
		printf("FAIL a process that ran %s/%s last (status %x)\n",
		       plan->tests[i - 1]->suite, plan->tests[i - 1]->name, (unsigned)status);
	}
	batch->begin = i;
	return batch->begin < batch->end;
}

/* Chooses the tests of the next process. Returns whether there are any. */
static bool take_batch(struct plan *plan, struct batch *batch)
{
	size_t end = plan->next;

	while (end < plan->count && end - plan->next < BATCH_MAX &&
	       !needs_process(plan->tests[end]))
		end++;
	if (end == plan->next && end < plan->count)
		end++;
	*batch = (struct batch){ .begin = plan->next, .end = end };
	plan->next = end;
	return batch->begin < batch->end;
}

/* Runs as many processes at a time as there are slots. */
static void run_all(struct plan *plan, size_t slot_count, struct counts *counts)
{
	struct batch slots[SLOT_COUNT_MAX] = { 0 };
	size_t running_count = 0;

	for (size_t i = 0; i < slot_count && take_batch(plan, &slots[i]); i++) {
		start(plan, &slots[i]);
		running_count++;
	}
	while (running_count) {
		int status = -1;
		pid_t process = waitpid(-1, &status, 0);

		if (process < 0) {
			perror("unit");
			exit(2);
		}
		for (size_t i = 0; i < slot_count; i++) {
			if (slots[i].process != process)
				continue;
			if (count_batch(plan, &slots[i], status, counts) ||
			    take_batch(plan, &slots[i]))
				start(plan, &slots[i]);
			else
				running_count--;
		}
	}
}

/* What the command line asks for. */
struct choice {
	const char *pattern; /* of SUITE/NAME */
	const char *without; /* names of suites, separated by commas */
};

static bool is_left_out(const struct stand_in_test *test, const char *without)
{
	size_t length = strlen(test->suite);

	for (const char *at = without; (at = strstr(at, test->suite)); at += length)
		if ((at == without || at[-1] == ',') && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

static bool is_wanted(const struct stand_in_test *test, const struct choice *choice)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/%s", test->suite, test->name);
	return fnmatch(choice->pattern, name, 0) == 0 && !is_left_out(test, choice->without);
}

static struct plan make_plan(const struct choice *choice)
{
	struct plan plan = { .count = 0 };
	size_t count = 0;

	for (const struct stand_in_test *test = first_test; test; test = test->next)
		count++;
	plan.tests = calloc(count + 1, sizeof(*plan.tests));
	plan.outcomes =
		mmap(NULL, count + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!plan.tests || plan.outcomes == MAP_FAILED) {
		perror("unit");
		exit(2);
	}
	for (const struct stand_in_test *test = first_test; test; test = test->next)
		if (is_wanted(test, choice))
			plan.tests[plan.count++] = test;
	return plan;
}

static bool parse_arguments(int argc, char **argv, struct choice *ret)
{
	*ret = (struct choice){ "*", "" };
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 < argc && strcmp(argv[i], "--filter") == 0)
			ret->pattern = argv[i + 1];
		else if (i + 1 < argc && strcmp(argv[i], "--without") == 0)
			ret->without = argv[i + 1];
		else
			return false;
	}
	return true;
}

/* An emulator runs each process on one CPU only, so as many processes run at a time as there are CPUs. */
int main(int argc, char **argv)
{
	long cpu_count = sysconf(_SC_NPROCESSORS_ONLN);
	size_t slot_count = cpu_count < 1                ? 1
			    : cpu_count > SLOT_COUNT_MAX ? SLOT_COUNT_MAX
							 : (size_t)cpu_count;
	struct counts counts = { 0 };
	struct choice choice;
	struct plan plan;

	if (!parse_arguments(argc, argv, &choice)) {
		fprintf(stderr, "usage: unit [--filter PATTERN] [--without SUITE,...]\n");
		return 2;
	}
	plan = make_plan(&choice);
	run_all(&plan, slot_count, &counts);
	free(plan.tests);
	printf("Tested: %u | Passing: %u | Failing: %u | Crashing: %u\n", counts.tested,
	       counts.passing, counts.failing, counts.crashing);
	return counts.failing || counts.crashing;
}
