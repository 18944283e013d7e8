/* SPDX-License-Identifier: MIT */
/*
 * damage KILN COUNT DIRECTORY FILE...: runs kiln on each file truncated at COUNT places, and COUNT
 * times with 1 to 16 of its bytes or numbers changed. The places and changes look random, but are
 * the same in every run. A file called data or data.N is part of a capture that is a directory; the
 * other parts are left unchanged.
 *
 * kiln must end by itself, within the limits below, with status 0, 1 or 3, and with only its own
 * messages on standard error: at least one if the status is not 0. Inputs that fail are left in
 * DIRECTORY. The last line is "N passed, N failed", which counts files.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

#define SECONDS_MAX      10
#define MEMORY_BYTES_MAX ((uint64_t)512 << 20)
/* A run that waits uses no CPU time. */
#define WALL_SECONDS_MAX 120
/*
 * The address space of a run, which is more than the memory that it uses; and the bytes that it may
 * write to spools.
 */
#define ADDRESS_BYTES_MAX ((uint64_t)2 << 30)
#define WRITTEN_BYTES_MAX ((uint64_t)2 << 30)
#define MESSAGES_BYTES    65536
#define EXAMPLES_MAX      5 /* of one file */

static const char *const commands[][2] = {
	{ "script" }, { "fold" }, { "report" }, { "info", "--json" }, { "flame" }, { "doctor" },
};

enum kind {
	KIND_CUT,
	KIND_CHANGED,
	KIND_COUNT,
};

static const char *const kind_names[KIND_COUNT] = { "cut", "changed" };

/* The results for one file, in memory that all processes share. */
struct tally {
	uint32_t statuses[4]; /* numbers of runs, by status */
	uint32_t failure_count;
	uint64_t cpu_us_max, memory_bytes_max;
};

struct job {
	const char *kiln, *directory, *path;
	const unsigned char *bytes;
	unsigned char *damaged; /* a changed copy; memory of a parent also counts as its child's */
	size_t size_bytes;
	char damaged_path[256];
	char input[256]; /* the same, or its directory */
	struct tally *tally;
};

struct run {
	int status;
	struct rusage usage;
	char messages[MESSAGES_BYTES];
};

_Noreturn static void give_up(const char *what)
{
	perror(what);
	exit(2);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The last two names of a path, since all fixtures are called perf.data. */
static const char *own_name(const char *path)
{
	const char *name = base_name(path);

	if (name > path)
		name--;
	while (name > path && name[-1] != '/')
		name--;
	return name;
}

static bool is_directory_part(const char *path)
{
	const char *name = base_name(path);

	return strcmp(name, "data") == 0 || strncmp(name, "data.", 5) == 0;
}

/* Depends only on the name of the file, not on its directory or the other files. */
static struct random random_of(const char *path, enum kind kind, uint32_t index)
{
	struct random random = { 0xcbf29ce484222325u };

	for (const char *name = own_name(path); *name; name++)
		random.state = (random.state ^ (unsigned char)*name) * 0x100000001b3u;
	random.state = (random.state ^ (uint64_t)kind) * 0x100000001b3u;
	random.state = (random.state ^ index) * 0x100000001b3u;
	random.state |= 1;
	random_u64(&random);
	return random;
}

/*
 * Half of the places are anywhere, the others near both ends, where there is other data than
 * samples.
 */
static size_t pick_place(struct random *random, size_t size_bytes)
{
	size_t near = size_bytes < 4096 ? size_bytes : 4096;

	switch (random_below(random, 4)) {
	case 0:
		return random_below(random, (uint32_t)(near < 512 ? near : 512));
	case 1:
		return size_bytes - 1 - random_below(random, (uint32_t)near);
	default:
		return random_below(random, (uint32_t)size_bytes);
	}
}

/* Replaces a number by one with which sums and sizes are prone to overflow. */
static void change_number(struct random *random, unsigned char *bytes, size_t size_bytes)
{
	static const uint64_t numbers[] = { 0,          1,       7,      UINT64_MAX,    INT64_MAX,
					    UINT32_MAX, 1 << 30, 0xffff, UINT64_MAX - 7 };
	uint64_t number = numbers[random_below(random, ARRAY_SIZE(numbers))];
	size_t width = (size_t)2 << random_below(random, 3);
	size_t at = pick_place(random, size_bytes) / width * width;

	if (random_below(random, 2))
		number = __builtin_bswap64(number);
	if (at + width <= size_bytes)
		memcpy(bytes + at, &number, width);
}

/* Returns the number of bytes that are left. */
static size_t damage(struct random *random, enum kind kind, unsigned char *bytes, size_t size_bytes)
{
	uint32_t changes;

	if (kind == KIND_CUT)
		return pick_place(random, size_bytes);
	/* Mostly few changes: a file with many errors is refused at the first one. */
	changes = 1u << random_below(random, 5);
	while (changes--) {
		if (random_below(random, 4) == 0)
			change_number(random, bytes, size_bytes);
		else
			bytes[pick_place(random, size_bytes)] ^=
				(unsigned char)(1 + random_below(random, 255));
	}
	return size_bytes;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size_bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, bytes, size_bytes) != (ssize_t)size_bytes || close(fd) != 0)
		give_up(path);
}

static void limit(int resource, uint64_t value)
{
	/* The lower limit has a signal of its own. */
	struct rlimit limits = { (rlim_t)value, (rlim_t)value + 1 };

	if (setrlimit(resource, &limits) != 0)
		give_up("setrlimit");
}

/* Called in a child process, which becomes kiln. */
_Noreturn static void exec_kiln(const struct job *job, uint32_t index, int messages_fd)
{
	const char *const *command = commands[index % ARRAY_SIZE(commands)];
	bool is_stdin = index % 7 == 6 && !is_directory_part(job->path);
	/* Threads reserve much memory, so their number is the same on every machine. */
	const char *arguments[10] = { job->kiln, command[0], "--no-host-files", "--jobs=2" };
	size_t count = 4;
	char symbols[512];
	int null = open("/dev/null", O_WRONLY);
	int input = open(is_stdin ? job->input : "/dev/null", O_RDONLY);

	if (command[1])
		arguments[count++] = command[1];
	snprintf(symbols, sizeof(symbols), "%.*s%ssymbols", (int)(base_name(job->path) - job->path),
		 job->path, is_directory_part(job->path) ? "../" : "");
	if (access(symbols, F_OK) == 0) {
		arguments[count++] = "--symbols";
		arguments[count++] = symbols;
	}
	arguments[count] = is_stdin ? "-" : job->input;
	if (dup2(input, 0) < 0 || dup2(null, 1) < 0 || dup2(messages_fd, 2) < 0)
		_exit(126);
	limit(RLIMIT_CPU, SECONDS_MAX);
	limit(RLIMIT_FSIZE, WRITTEN_BYTES_MAX);
	limit(RLIMIT_CORE, 0);
	/* It reserves terabytes. */
	if (!HAS_ADDRESS_SANITIZER)
		limit(RLIMIT_AS, ADDRESS_BYTES_MAX);
	alarm(WALL_SECONDS_MAX);
	execv(job->kiln, (char *const *)(uintptr_t)arguments);
	_exit(127);
}

static void run_kiln(const struct job *job, uint32_t index, struct run *ret)
{
	int messages_fd = memfd_create("messages", MFD_CLOEXEC);
	ssize_t got;
	pid_t child;

	if (messages_fd < 0)
		give_up("memfd_create");
	child = fork();
	if (child == 0)
		exec_kiln(job, index, messages_fd);
	if (child < 0 || wait4(child, &ret->status, 0, &ret->usage) != child)
		give_up("fork");
	got = pread(messages_fd, ret->messages, sizeof(ret->messages) - 1, 0);
	ret->messages[got > 0 ? got : 0] = '\0';
	close(messages_fd);
}

static bool are_messages_of_kiln(const char *messages)
{
	while (*messages) {
		const char *newline = strchr(messages, '\n');

		if (strncmp(messages, "kiln: ", 6) != 0 || !newline)
			return false;
		messages = newline + 1;
	}
	return true;
}

static uint64_t cpu_us_of(const struct rusage *usage)
{
	return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* Why a run failed; NULL: it did not. */
static const char *fault_of(const struct run *run)
{
	int code = WIFEXITED(run->status) ? WEXITSTATUS(run->status) : -1;

	if (WIFSIGNALED(run->status))
		return WTERMSIG(run->status) == SIGXCPU || WTERMSIG(run->status) == SIGALRM
			       ? "takes too long"
			       : "is ended by a signal";
	if (code != 0 && code != 1 && code != 3)
		return "ends with a status it should not have";
	if (!are_messages_of_kiln(run->messages))
		return "has other messages than kiln's";
	if (code != 0 && !*run->messages)
		return "says nothing";
	if (strstr(run->messages, "kiln: out of memory"))
		return "wants too much memory";
	if ((uint64_t)run->usage.ru_maxrss * 1024 > MEMORY_BYTES_MAX)
		return "takes too much memory";
	return NULL;
}

static void note_run(const struct job *job, const struct run *run)
{
	uint64_t cpu_us = cpu_us_of(&run->usage);
	uint64_t memory_bytes = (uint64_t)run->usage.ru_maxrss * 1024;

	if (WIFEXITED(run->status) && WEXITSTATUS(run->status) < 4)
		job->tally->statuses[WEXITSTATUS(run->status)]++;
	if (cpu_us > job->tally->cpu_us_max)
		job->tally->cpu_us_max = cpu_us;
	if (memory_bytes > job->tally->memory_bytes_max)
		job->tally->memory_bytes_max = memory_bytes;
}

static void report(const struct job *job, enum kind kind, uint32_t index, const char *fault,
		   const struct run *run, size_t size_bytes)
{
	const char *const *command = commands[index % ARRAY_SIZE(commands)];
	const char *name = own_name(job->path);
	char kept[512];

	if (++job->tally->failure_count > EXAMPLES_MAX)
		return;
	snprintf(kept, sizeof(kept), "%s/%.*s-%s.%s-%u", job->directory,
		 (int)(base_name(name) - name - (base_name(name) > name)), name, base_name(name),
		 kind_names[kind], index);
	write_file(kept, job->damaged, size_bytes);
	printf("FAIL %s: kiln %s %s (status %x, %.1f s, %ld KiB)\n%.2000s", kept, command[0], fault,
	       (unsigned)run->status, (double)cpu_us_of(&run->usage) / 1e6, run->usage.ru_maxrss,
	       run->messages);
	fflush(stdout);
}

static void damage_once(const struct job *job, enum kind kind, uint32_t index)
{
	struct random random = random_of(job->path, kind, index);
	static struct run run;
	const char *fault;
	size_t left;

	memcpy(job->damaged, job->bytes, job->size_bytes);
	left = damage(&random, kind, job->damaged, job->size_bytes);
	write_file(job->damaged_path, job->damaged, left);
	run_kiln(job, index, &run);
	note_run(job, &run);
	fault = fault_of(&run);
	if (fault)
		report(job, kind, index, fault, &run, left);
}

/* Maps the whole file; the caller unmaps it. */
static const unsigned char *map_file(const char *path, size_t *size_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status) != 0 || !status.st_size || status.st_size > INT32_MAX)
		give_up(path);
	*size_ret = (size_t)status.st_size;
	bytes = mmap(NULL, *size_ret, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		give_up(path);
	close(fd);
	return bytes;
}

/* Copies the other files of the directory beside the corrupt file. */
static void copy_directory(const struct job *job)
{
	char pattern[512];
	glob_t parts;

	snprintf(pattern, sizeof(pattern), "%.*sdata*", (int)(base_name(job->path) - job->path),
		 job->path);
	if (glob(pattern, 0, NULL, &parts) != 0)
		give_up(pattern);
	for (size_t i = 0; i < parts.gl_pathc; i++) {
		size_t size_bytes;
		const unsigned char *bytes = map_file(parts.gl_pathv[i], &size_bytes);
		char copy[512];

		snprintf(copy, sizeof(copy), "%s/%s", job->input, base_name(parts.gl_pathv[i]));
		write_file(copy, bytes, size_bytes);
		munmap((void *)(uintptr_t)bytes, size_bytes);
	}
	globfree(&parts);
}

static void damage_file(struct job *job, uint32_t count)
{
	struct scratch scratch;

	scratch_open(&scratch);
	snprintf(job->input, sizeof(job->input), "%s", scratch_path(&scratch, "perf.data"));
	snprintf(job->damaged_path, sizeof(job->damaged_path), "%s", job->input);
	if (is_directory_part(job->path)) {
		if (mkdir(job->input, 0755) != 0)
			give_up(job->input);
		copy_directory(job);
		snprintf(job->damaged_path, sizeof(job->damaged_path), "%.200s/%.50s", job->input,
			 base_name(job->path));
	}
	job->bytes = map_file(job->path, &job->size_bytes);
	job->damaged = memory_alloc(job->size_bytes, 1);
	for (uint32_t i = 0; i < count; i++)
		for (unsigned kind = 0; kind < KIND_COUNT; kind++)
			damage_once(job, (enum kind)kind, i);
	memory_free(job->damaged);
	munmap((void *)(uintptr_t)job->bytes, job->size_bytes);
	scratch_close(&scratch);
}

/* One of several processes: takes one file of every `step` files. */
_Noreturn static void work(struct job job, uint32_t count, char **files, struct tally *tallies,
			   long step)
{
	for (long i = 0; files[i]; i++) {
		if (i % step)
			continue;
		job.path = files[i];
		job.tally = &tallies[i];
		damage_file(&job, count);
	}
	exit(0);
}

static int sum_up(char **files, const struct tally *tallies)
{
	struct tally sum = { { 0 }, 0, 0, 0 };
	unsigned passed = 0, failed = 0;

	for (size_t i = 0; files[i]; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(sum.statuses); k++)
			sum.statuses[k] += tallies[i].statuses[k];
		sum.failure_count += tallies[i].failure_count;
		if (tallies[i].cpu_us_max > sum.cpu_us_max)
			sum.cpu_us_max = tallies[i].cpu_us_max;
		if (tallies[i].memory_bytes_max > sum.memory_bytes_max)
			sum.memory_bytes_max = tallies[i].memory_bytes_max;
		if (tallies[i].failure_count)
			failed++;
		else
			passed++;
	}
	printf("runs that ended with 0: %u, 1: %u, 3: %u; badly: %u; at most %.1f s and %" PRIu64
	       " MiB each\n",
	       sum.statuses[0], sum.statuses[1], sum.statuses[3], sum.failure_count,
	       (double)sum.cpu_us_max / 1e6, sum.memory_bytes_max >> 20);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}

int main(int argc, char **argv)
{
	long workers = sysconf(_SC_NPROCESSORS_ONLN);
	struct tally *tallies;
	bool is_whole = true;
	struct job job = { 0 };
	uint32_t count;

	if (argc < 5) {
		fprintf(stderr, "usage: damage KILN COUNT DIRECTORY FILE...\n");
		return 2;
	}
	job.kiln = argv[1];
	count = (uint32_t)strtoul(argv[2], NULL, 10);
	job.directory = argv[3];
	if (mkdir(job.directory, 0755) != 0 && errno != EEXIST)
		give_up(job.directory);
	tallies = mmap(NULL, (size_t)argc * sizeof(*tallies), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tallies == MAP_FAILED)
		give_up("mmap");
	/* A report of the sanitizers must not look like a status of kiln's own. */
	setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=1:quarantine_size_mb=8", 1);
	setenv("UBSAN_OPTIONS", "exitcode=99:print_stacktrace=1", 1);
	if (workers > argc - 4)
		workers = argc - 4;
	for (long i = 0; i < workers; i++) {
		pid_t child = fork();

		if (child < 0)
			give_up("fork");
		if (child == 0)
			work(job, count, argv + 4 + i, tallies + i, workers);
	}
	for (int status; wait(&status) > 0;)
		is_whole = is_whole && status == 0;
	return !is_whole ? 2 : sum_up(argv + 4, tallies);
}
