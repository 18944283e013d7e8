/* SPDX-License-Identifier: MIT */
/* Tests what a locked process can do, with jobs that only this program has, and how workers end. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "sandbox/call_filter.h"
#include "sandbox/lockdown.h"
#include "sandbox/service.h"
#include "tests/support/leaks.h"

/* What was possible. */
struct attempts {
	bool opens, creates, runs, forks, connects, signals, owns, types, raises;
};

static bool can_fork(unsigned flags)
{
	long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		_exit(0);
	return pid > 0 && waitpid((pid_t)pid, NULL, 0) == pid;
}

/*
 * Runs a program in a child, or, if it may not have children, in this process. Then the caller
 * finds that this process is gone.
 */
static bool can_run(void)
{
	char *arguments[] = { "true", NULL };
	pid_t pid = fork();
	int status;

	if (pid <= 0) {
		execve("/bin/true", arguments, NULL);
		if (pid == 0)
			_exit(1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Whether any of the calls that send signals is allowed; signal 0 only checks this. */
static bool can_signal(pid_t pid)
{
	siginfo_t info = { .si_code = SI_QUEUE };

	return syscall(SYS_kill, pid, 0) == 0 || syscall(SYS_tkill, pid, 0) == 0 ||
	       syscall(SYS_tgkill, pid, pid, 0) == 0 ||
	       syscall(SYS_rt_sigqueueinfo, pid, 0, &info) == 0 ||
	       syscall(SYS_rt_tgsigqueueinfo, pid, pid, 0, &info) == 0;
}

static struct attempts try_all(const char *file, const char *new_file)
{
	struct attempts done = { .opens = false };
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	done.opens = fd >= 0;
	fd = open(new_file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	done.creates = fd >= 0;
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	done.connects = fd >= 0;
	done.signals = can_signal(getppid());
	/* A file sends signals to its owner. */
	done.owns = fcntl(0, F_SETOWN, getpid()) == 0 || fcntl(0, F_SETSIG, SIGURG) == 0;
	/* Without the lock, the error is that there is no such descriptor. */
	done.types = ioctl(-1, TIOCSTI, "x") != 0 && errno == EBADF;
	done.raises = raise(SIGURG) == 0;
	done.forks = can_fork(0) || can_fork(CLONE_NEWUSER) ||
		     (syscall(SYS_clone3, NULL, 0) != 0 && errno == EINVAL);
	done.runs = can_run();
	return done;
}

static void attempt(const struct service_job *job)
{
	struct attempts done = try_all("/etc/passwd", "/tmp/kiln-test-of-the-sandbox");

	worker_answer(job, &done, sizeof(done));
}

static void burn(const struct service_job *job)
{
	(void)job;
	for (volatile unsigned i = 0;; i++)
		;
}

static void wait_long(const struct service_job *job)
{
	char byte;

	alarm(1);
	(void)!worker_read(job, &byte, 1);
}

static void crash(const struct service_job *job)
{
	(void)job;
	__builtin_trap();
}

static void give_up(const struct service_job *job)
{
	(void)job;
	abort();
}

static void wait_for_end(const struct service_job *job)
{
	char byte;

	(void)!worker_read(job, &byte, 1);
}

static void fill(const struct service_job *job)
{
	void *memory = mmap(NULL, (size_t)((uint64_t)1 << 40), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	/* As memory_exhausted() of kiln. */
	if (memory == MAP_FAILED)
		_exit(1);
	worker_answer(job, "", 1);
}

/* Answers with the first bytes of the file it asks for. */
static void ask(const struct service_job *job)
{
	char bytes[4] = "none";
	int fd = worker_ask(job, job->head, job->head_bytes);

	if (fd >= 0 && read(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		return;
	worker_answer(job, bytes, sizeof(bytes));
}

static void lie(const struct service_job *job)
{
	static const struct service_header header = { .frame = SERVICE_ANSWER, .size_bytes = 99 };

	(void)!send(job->socket, &header, sizeof(header), MSG_NOSIGNAL);
}

#define MEMORY_BYTES ((uint64_t)1 << 32)

static const struct service_kind kind_attempt = { "trying", attempt, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_burn = { "burning", burn, MEMORY_BYTES, 1, NULL };
static const struct service_kind kind_wait = { "waiting", wait_long, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_crash = { "crashing", crash, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_abort = { "aborting", give_up, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_end = { "ending", wait_for_end, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_fill = { "filling", fill, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_ask = { "asking", ask, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_lie = { "lying", lie, MEMORY_BYTES, 9, NULL };
/* Tells its id in the job's file, and fills the socket, so that it has no room for the status. */
static void flood(const struct service_job *job)
{
	static const char bytes[1024];
	pid_t own = getpid();

	if (write(job->files[0], &own, sizeof(own)) != sizeof(own))
		return;
	while (send(job->socket, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	while (send(job->socket, bytes, 1, MSG_DONTWAIT) > 0)
		;
}

static int open_null(const void *head, size_t head_bytes)
{
	(void)head;
	(void)head_bytes;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static const struct service_kind kind_flood = { "flooding", flood, MEMORY_BYTES, 9, NULL };
static const struct service_kind kind_null = { .what = "opening", .open = open_null };
static const struct service_kind *const kinds[] = { &kind_attempt, &kind_burn, &kind_wait,
						    &kind_crash,   &kind_end,  &kind_fill,
						    &kind_ask,     &kind_lie,  &kind_abort,
						    &kind_flood,   &kind_null, NULL };

static void start_locked(struct service *service)
{
	const struct lockdown_kernel kernel = lockdown_probe();

	service_start(service, kinds, &kernel);
}

/* Begins a job and receives its answer. */
static bool call(const struct service *service, const struct service_kind *kind,
		 const struct service_replies *replies, byte_list *answer, struct error *err)
{
	static const char name[] = "that file";
	struct service_job job = { .head = name, .head_bytes = sizeof(name) };
	struct service_call running;

	*answer = (byte_list){ .at = NULL };
	if (!service_begin(service, kind, &job, &running, err))
		return false;
	service_set_deadline(&running, 60);
	return service_receive(&running, replies, 1000, answer, err);
}

/* Without the sandbox everything is possible, which shows that the test can fail. */
Test(sandbox, of_workers)
{
	struct lockdown_kernel kernel = lockdown_probe();
	bool locks[] = { false, true };

	for (size_t i = 0; i < ARRAY_SIZE(locks); i++) {
		struct service service;
		struct attempts done;
		byte_list answer;
		struct error err;

		service_start(&service, kinds, locks[i] ? &kernel : NULL);
		cr_assert(call(&service, &kind_attempt, NULL, &answer, &err), "%s", err.text);
		cr_assert_eq(answer.count, sizeof(done));
		memcpy(&done, answer.at, sizeof(done));
		cr_expect_eq(done.opens, !locks[i] || !kernel.landlock_abi);
		cr_expect(done.raises);
		cr_expect(!done.creates || !locks[i] || !kernel.landlock_abi);
		if (kernel.has_seccomp) {
			cr_expect_eq(done.runs, !locks[i]);
			cr_expect_eq(done.connects, !locks[i]);
			cr_expect_eq(done.signals, !locks[i]);
			cr_expect_eq(done.owns, !locks[i]);
			cr_expect_eq(done.forks, !locks[i]);
			cr_expect_eq(done.types, !locks[i]);
		}
		vec_free(&answer);
		service_stop(&service);
	}
	unlink("/tmp/kiln-test-of-the-sandbox");
	assert_no_leaks();
}

/*
 * Starts a process that locks itself like the main process, using the kernel features in `kernel`.
 */
static struct attempts lock_and_try(const struct lockdown_kernel *kernel, enum lockdown_reach reach)
{
	struct lockdown_rules rules = { .reach = reach };
	struct attempts done = { .opens = true };
	int pipe_ends[2];
	pid_t pid;

	cr_assert(pipe2(pipe_ends, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0) {
		vec_push(&rules.paths, (struct lockdown_path){ "/bin", LOCKDOWN_READ });
		if (lockdown_main(kernel, &rules) != 0 ||
		    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
			_exit(1);
		done = try_all("/etc/passwd", "/tmp/kiln-test-of-the-sandbox");
		(void)!write(pipe_ends[1], &done, sizeof(done));
		_exit(0);
	}
	close(pipe_ends[1]);
	cr_expect(read(pipe_ends[0], &done, sizeof(done)) == sizeof(done));
	close(pipe_ends[0]);
	waitpid(pid, NULL, 0);
	return done;
}

/* If one part of the kernel is missing, the lock still uses the others. */
Test(sandbox, of_main)
{
	const struct lockdown_kernel real = lockdown_probe();
	const struct lockdown_kernel kernels[] = {
		{ 0, false },
		{ real.landlock_abi, false },
		{ 0, real.has_seccomp },
		real,
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct attempts done = lock_and_try(&kernels[i], LOCKDOWN_LISTED);

		cr_expect_eq(done.opens, !kernels[i].landlock_abi, "%zu", i);
		cr_expect_eq(done.creates, !kernels[i].landlock_abi, "%zu", i);
		cr_expect_eq(done.connects, !kernels[i].has_seccomp, "%zu", i);
		/* An emulator refuses some calls itself; the test of_workers shows what is possible
		 * without a lock. */
		cr_expect(!done.forks || !kernels[i].has_seccomp, "%zu", i);
		cr_expect_eq(done.types, !kernels[i].has_seccomp, "%zu", i);
		cr_expect(done.raises, "%zu", i);
		cr_expect_eq(done.owns, !kernels[i].has_seccomp, "%zu", i);
		cr_expect_eq(done.signals, !kernels[i].has_seccomp && kernels[i].landlock_abi < 6,
			     "%zu", i);
		/* Landlock refuses to run what no rule allows to run. */
		cr_expect_eq(done.runs, !kernels[i].has_seccomp && !kernels[i].landlock_abi, "%zu",
			     i);
	}
	unlink("/tmp/kiln-test-of-the-sandbox");
}

/* What locks of each reach leave possible. */
Test(sandbox, reach_of_main)
{
	const struct lockdown_kernel kernel = lockdown_probe();
	static const struct {
		enum lockdown_reach reach;
		bool opens, creates;
	} rows[] = {
		{ LOCKDOWN_ALL_FILES, true, true },
		{ LOCKDOWN_LISTED_WRITE, true, false },
		{ LOCKDOWN_LISTED, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct attempts done = lock_and_try(&kernel, rows[i].reach);

		cr_expect_eq(done.opens, rows[i].opens || !kernel.landlock_abi, "%zu", i);
		cr_expect_eq(done.creates, rows[i].creates || !kernel.landlock_abi, "%zu", i);
	}
	unlink("/tmp/kiln-test-of-the-sandbox");
}

static void *set_flag(void *flag)
{
	*(bool *)flag = true;
	return NULL;
}

/* The lock leaves threads. */
Test(sandbox, main_has_threads)
{
	const struct lockdown_kernel kernel = lockdown_probe();
	const struct lockdown_rules rules = { .reach = LOCKDOWN_LISTED };
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		bool has_run = false;
		pthread_t thread;

		if (lockdown_main(&kernel, &rules) == 0 &&
		    pthread_create(&thread, NULL, set_flag, &has_run) == 0)
			pthread_join(thread, NULL);
		_exit(!has_run);
	}
	waitpid(pid, &status, 0);
	cr_expect_eq(status, 0);
}

/* A locked process locks itself again; its exit status has the parts that failed. */
static unsigned lock_twice(const struct lockdown_kernel *kernel)
{
	const struct lockdown_rules rules = { .reach = LOCKDOWN_LISTED };
	struct call_filter filter;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!call_filter_compile(&filter, CALLS_OF_WORKER) ||
		    lockdown_worker(kernel, &filter) != 0)
			_exit(255);
		_exit((int)lockdown_main(kernel, &rules));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? (unsigned)WEXITSTATUS(status) : 255;
}

Test(sandbox, refused_steps_are_returned)
{
	struct lockdown_kernel kernel = lockdown_probe();
	unsigned calls = LOCKDOWN_NEW_RIGHTS | LOCKDOWN_CAPABILITIES | LOCKDOWN_CALLS;

	if (!kernel.has_seccomp)
		cr_skip_test("no seccomp");
	cr_expect_eq(lock_twice(&kernel), calls | (kernel.landlock_abi ? LOCKDOWN_FILES : 0));
	kernel.landlock_abi = 0;
	cr_expect_eq(lock_twice(&kernel), calls);
}

/* Emulators do not limit the memory of the program that they run, and address spaces of 32 bits are not limited. */
static bool limits_memory(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		struct rlimit limit = { (rlim_t)256 << 20, (rlim_t)256 << 20 };

		setrlimit(RLIMIT_AS, &limit);
		_exit(mmap(NULL, (size_t)512 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0) == MAP_FAILED);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 1 && sizeof(void *) > 4;
}

/* The message says why a worker ended. */
Test(sandbox, ends_of_workers)
{
	static const struct {
		const struct service_kind *kind;
		const char *text;
	} rows[] = {
		{ &kind_burn, "burning needs more CPU time than the limit of 1 s" },
		{ &kind_wait, "waiting took too long" },
		{ &kind_crash, "crashing crashed (" },
#if !HAS_ADDRESS_SANITIZER
		{ &kind_abort, "aborting crashed (Aborted)" },
#endif
#if !HAS_ADDRESS_SANITIZER
		{ &kind_fill, "filling needs too much memory" },
#endif
		{ &kind_lie, "lying returned a corrupt result" },
	};
	struct service service;

	start_locked(&service);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		byte_list answer;
		struct error err = { .text = "" };

		if (rows[i].kind == &kind_fill && !limits_memory())
			continue;
		cr_expect(!call(&service, rows[i].kind, NULL, &answer, &err));
		cr_expect(strncmp(err.text, rows[i].text, strlen(rows[i].text)) == 0, "%s",
			  err.text);
		vec_free(&answer);
	}
	service_stop(&service);
}

static bool has_ended(pid_t child)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid != 0;
}

/* Waits until the server has forked its first child, and returns that. 0: the kernel has no lists
 * of children, or the server has ended. */
static pid_t wait_for_worker(pid_t server)
{
	char path[64];
	FILE *children;
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)server, (int)server);
	while (!pid && !has_ended(server) && (children = fopen(path, "re")) != NULL) {
		if (fscanf(children, "%d", &pid) != 1)
			pid = 0;
		fclose(children);
	}
	return pid;
}

/* A worker killed by someone else is not called slow. */
Test(sandbox, killed_from_outside, .timeout = 60)
{
	struct service service;
	struct service_call running;
	struct service_job job = { .head_bytes = 0 };
	byte_list answer = { .at = NULL };
	struct error err;
	pid_t pid;

	start_locked(&service);
	cr_assert(service_begin(&service, &kind_end, &job, &running, &err));
	service_set_deadline(&running, 60);
	pid = wait_for_worker(service.pid);
	cr_assert(pid || !has_ended(service.pid), "the server has ended");
	if (!pid)
		cr_skip_test("this kernel has no lists of children");
	kill(pid, SIGKILL);
	cr_expect(!service_receive(&running, NULL, 1000, &answer, &err));
	cr_expect(strstr(err.text, "the process was killed by another program"), "%s", err.text);
	vec_free(&answer);
	service_stop(&service);
}

/* The server answers others while a worker's answer waits to be read. */
Test(sandbox, flooding, .timeout = 60)
{
	struct service service;
	struct service_call running;
	struct service_job job = { .file_count = 1 };
	byte_list answer = { .at = NULL };
	struct error err;
	int pipe_ends[2];
	pid_t worker;
	int fd;

	cr_assert_eq(pipe(pipe_ends), 0);
	job.files = &pipe_ends[1];
	start_locked(&service);
	cr_assert(service_begin(&service, &kind_flood, &job, &running, &err));
	close(pipe_ends[1]);
	service_set_deadline(&running, 60);
	cr_assert_eq(read(pipe_ends[0], &worker, sizeof(worker)), (ssize_t)sizeof(worker));
	/* Until the server has fetched the worker's status. */
	while (kill(worker, 0) == 0)
		sched_yield();
	fd = service_open(&service, &kind_null, NULL, 0);
	cr_expect(fd >= 0);
	close(fd);
	cr_expect(!service_receive(&running, NULL, (size_t)64 << 20, &answer, &err));
	cr_expect_str_eq(err.text, "flooding returned a corrupt result");
	close(pipe_ends[0]);
	vec_free(&answer);
	service_stop(&service);
}

static int open_asked(void *context, struct span question)
{
	cr_expect_str_eq((const char *)question.at, "that file");
	return context ? open(context, O_RDONLY | O_CLOEXEC) : -1;
}

/* A worker gets only the files that the caller opens for it. */
Test(sandbox, questions)
{
	struct service_replies replies[] = { { open_asked, NULL },
					     { open_asked, "/proc/self/exe" } };
	static const char *const expected[] = { "none", "\177ELF" };
	struct service service;

	start_locked(&service);
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		byte_list answer;
		struct error err;

		cr_assert(call(&service, &kind_ask, &replies[i], &answer, &err), "%s", err.text);
		cr_assert_eq(answer.count, 4);
		cr_expect(memcmp(answer.at, expected[i], 4) == 0, "%zu", i);
		vec_free(&answer);
	}
	service_stop(&service);
	assert_no_leaks();
}
