/* SPDX-License-Identifier: MIT */
#include "base/unfinished_file.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/attributes.h"

static char path[64];

static void begin(void)
{
	snprintf(path, sizeof(path), "/tmp/kiln-unfinished-%ld", (long)getpid());
	close(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
}

static void end(void)
{
	unlink(path);
}

/* Calls before() in a child, which then raises the signal. Returns the child's status. */
static int run(void (*before)(void), int number)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		/* Criterion has its own handlers of signals. */
		signal(number, SIG_DFL);
		before();
		raise(number);
		_exit(7);
	}
	cr_assert_gt(child, 0);
	cr_assert_eq(waitpid(child, &status, 0), child);
	return status;
}

static void list(void)
{
	unfinished_file_add(path);
}

static void list_and_forget(void)
{
	unfinished_file_forget(unfinished_file_add(path));
}

static void ignore_and_list(void)
{
	signal(SIGHUP, SIG_IGN);
	unfinished_file_add(path);
}

/* The child stands for one that reads debug information: its end must not remove the file. */
static void list_and_end_a_child(void)
{
	pid_t child;

	unfinished_file_add(path);
	child = fork();
	if (child == 0) {
		raise(SIGTERM);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	_exit(access(path, F_OK) == 0 ? 0 : 1);
}

Test(unfinished_file, signals_remove_it_and_end_the_program, .init = begin, .fini = end)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGQUIT };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		int status;

		close(open(path, O_WRONLY | O_CREAT, 0600));
		status = run(list, numbers[i]);
		cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i], "signal %d: %x",
			  numbers[i], status);
		cr_expect_neq(access(path, F_OK), 0, "signal %d", numbers[i]);
	}
}

Test(unfinished_file, a_finished_file_stays, .init = begin, .fini = end)
{
	cr_expect(WIFSIGNALED(run(list_and_forget, SIGTERM)));
	cr_expect_eq(access(path, F_OK), 0);
}

Test(unfinished_file, an_ignored_signal_stays_ignored, .init = begin, .fini = end)
{
	int status = run(ignore_and_list, SIGHUP);

	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%x", status);
	cr_expect_eq(access(path, F_OK), 0);
}

Test(unfinished_file, a_child_leaves_the_files_of_its_parent, .init = begin, .fini = end)
{
	int status = run(list_and_end_a_child, SIGTERM);

	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%x", status);
}

Test(unfinished_file, a_full_list_and_a_long_path_are_not_listed, .init = begin, .fini = end)
{
	char longer[10000] = "";
	unsigned number = 1;
	unsigned first = 0;

	memset(longer, 'a', sizeof(longer) - 1);
	cr_expect_eq(unfinished_file_add(longer), 0);
	unfinished_file_forget(0);
	for (int i = 0; i < 1000 && number; i++) {
		number = unfinished_file_add("/nowhere/at all");
		first = first ? first : number;
	}
	cr_expect_eq(number, 0);
	unfinished_file_forget(first);
	cr_expect_eq(unfinished_file_add(path), first);
	unfinished_files_remove();
	cr_expect_neq(access(path, F_OK), 0);
}
