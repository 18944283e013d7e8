/* SPDX-License-Identifier: MIT */
/* A locked process reads files of a process with another root, and can write none of them. */
#include "symbolise/root_service.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/lockdown.h"
#include "symbolise/symbolise.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"

enum change {
	CHANGES_NOTHING,
	CHANGES_ROOT,
	CHANGES_MOUNTS, /* the same root directory, in another mount namespace */
};

/* Starts a process that waits to be killed; 0: this machine does not allow the change. */
static pid_t start_process(enum change change, const char *root)
{
	int pipe_ends[2];
	char byte;
	pid_t pid;

	cr_assert_eq(pipe2(pipe_ends, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if ((change == CHANGES_ROOT && chroot(root) != 0) ||
		    (change == CHANGES_MOUNTS && unshare(CLONE_NEWNS) != 0))
			_exit(1);
		(void)!write(pipe_ends[1], "", 1);
		for (;;)
			pause();
	}
	close(pipe_ends[1]);
	if (read(pipe_ends[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = 0;
	}
	close(pipe_ends[0]);
	return pid;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

Test(root_service, other_files)
{
	static const bool sees_others[] = { false, true, true };
	struct scratch scratch;

	if (geteuid() != 0)
		cr_skip_test("only root can change a root directory");
	/* qemu -L opens another directory instead of the root directory. */
	if (getenv("EMULATOR"))
		cr_skip_test("an emulator shows another root directory");
	scratch_open(&scratch);
	scratch_write(&scratch, "root/file", "f", 1);
	for (enum change i = CHANGES_NOTHING; i <= CHANGES_MOUNTS; i++) {
		pid_t pid = start_process(i, scratch_path(&scratch, "root"));

		if (!pid)
			cr_skip_test("this machine refuses chroot or unshare");
		cr_expect_eq(host_process_sees_other_files(NULL, (uint32_t)pid), sees_others[i],
			     "%d", (int)i);
		end_process(pid);
	}
	cr_expect_not(host_process_sees_other_files(NULL, UINT32_MAX));
	scratch_close(&scratch);
	assert_no_leaks();
}

enum {
	SEES_OTHERS = 1,
	READS = 2,
	WRITES = 4,
	READS_DIRECTLY = 8,
};

static bool opens(const struct host_roots *roots, pid_t pid)
{
	struct error ignored;
	int fd = host_process_open_file(roots, (uint32_t)pid, "/file", FILE_LAST_LINK_REFUSED,
					&ignored);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool writes(const struct host_roots *roots, pid_t pid)
{
	int root = host_process_open_root(roots, (uint32_t)pid);
	int fd = root >= 0 ? openat(root, "file", O_WRONLY | O_CLOEXEC) : -1;

	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
	return fd >= 0;
}

/* Tries what a process under kiln's lock can do. */
static int try_locked(const struct host_roots *roots, pid_t of_process)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		const struct lockdown_kernel kernel = lockdown_probe();
		const struct lockdown_rules rules = { .reach = LOCKDOWN_LISTED_WRITE };

		if (lockdown_main(&kernel, &rules) != 0)
			_exit(99);
		_exit(host_process_sees_other_files(roots, (uint32_t)of_process) * SEES_OTHERS |
		      opens(roots, of_process) * READS | writes(roots, of_process) * WRITES |
		      opens(NULL, of_process) * READS_DIRECTLY);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(root_service, of_a_locked_process)
{
	struct service service;
	struct host_roots roots;
	struct scratch scratch;
	pid_t pid;

	if (geteuid() != 0)
		cr_skip_test("only root can change a root directory");
	if (!lockdown_probe().landlock_abi)
		cr_skip_test("no Landlock");
	scratch_open(&scratch);
	scratch_write(&scratch, "root/file", "f", 1);
	service_start(&service, symbolise_service_kinds, NULL);
	roots = root_service_roots(&service);
	pid = start_process(CHANGES_ROOT, scratch_path(&scratch, "root"));
	if (!pid)
		cr_skip_test("this machine refuses chroot");
	cr_expect_eq(try_locked(&roots, pid), SEES_OTHERS | READS);
	end_process(pid);
	cr_expect_eq(try_locked(&roots, (pid_t)INT32_MAX), 0);
	service_stop(&service);
	cr_expect_eq(host_process_open_root(&roots, (uint32_t)getpid()), -1);
	scratch_close(&scratch);
	assert_no_leaks();
}

/* A request that kiln itself does not send. */
Test(root_service, of_a_wrong_size)
{
	struct service service;

	service_start(&service, symbolise_service_kinds, NULL);
	cr_expect_eq(service_open(&service, &root_service_kind, "1", 1), -1);
	cr_expect_eq(service_open(&service, &root_service_kind, "", 0), -1);
	service_stop(&service);
	assert_no_leaks();
}

/* In runs that use no files of this machine, the server opens no roots. */
Test(root_service, that_is_not_offered)
{
	struct service service;
	uint32_t pid = (uint32_t)getpid();
	int fd;

	service_start(&service, symbolise_service_kinds, NULL);
	fd = service_open(&service, &root_service_kind, &pid, sizeof(pid));
	cr_expect(fd >= 0);
	close(fd);
	service_stop(&service);
	service_start(&service, symbolise_rootless_kinds, NULL);
	cr_expect_eq(service_open(&service, &root_service_kind, &pid, sizeof(pid)), -1);
	service_stop(&service);
	assert_no_leaks();
}
