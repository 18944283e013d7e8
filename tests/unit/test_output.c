/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/leaks.h"

static char directory[64];

static void begin(void)
{
	snprintf(directory, sizeof(directory), "/tmp/kiln-test-XXXXXX");
	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
	umask(022);
}

static void end(void)
{
	struct dirent *entry;
	DIR *listing = opendir(directory);

	while (listing && (entry = readdir(listing)) != NULL)
		if (unlinkat(dirfd(listing), entry->d_name, 0) != 0)
			unlinkat(dirfd(listing), entry->d_name, AT_REMOVEDIR);
	if (listing)
		closedir(listing);
	rmdir(directory);
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	cr_assert_geq(fd, 0, "%s", path);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	cr_assert_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void expect_file(const char *path, const char *expected, mode_t mode)
{
	char text[100] = "";
	struct stat status;
	int fd = open(path, O_RDONLY);

	cr_assert_geq(fd, 0, "%s", path);
	cr_assert_geq(read(fd, text, sizeof(text) - 1), 0);
	cr_expect_str_eq(text, expected, "%s has %s", path, text);
	cr_assert_eq(fstat(fd, &status), 0);
	cr_expect_eq(status.st_mode & 07777, mode, "%s has mode %o", path, status.st_mode);
	close(fd);
}

static size_t files_in_directory(void)
{
	DIR *listing = opendir(directory);
	size_t count = 0;

	while (readdir(listing))
		count++;
	closedir(listing);
	return count - 2;
}

static bool write_output(const char *path, const char *text, struct error *err)
{
	struct output output;

	if (!output_open(&output, path, err))
		return false;
	sink_puts(&output.sink, text);
	return output_commit(&output, err);
}

Test(output, a_file_appears_when_it_is_whole, .init = begin, .fini = end)
{
	struct output output;
	struct error err;

	cr_assert(output_open(&output, "new.svg", &err), "%s", err.text);
	sink_puts(&output.sink, "half");
	cr_assert(sink_flush(&output.sink, &err));
	cr_expect_neq(access("new.svg", F_OK), 0);
	sink_puts(&output.sink, " and half");
	cr_assert(output_commit(&output, &err), "%s", err.text);
	expect_file("new.svg", "half and half", 0644);
	cr_expect_eq(files_in_directory(), 1);
	assert_no_leaks();
}

Test(output, an_old_file_is_replaced_and_keeps_its_mode, .init = begin, .fini = end)
{
	static const mode_t modes[] = { 0600, 0640, 0664, 0444, 0755 };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct output output;
		struct error err;

		unlink("old.svg");
		write_file("old.svg", "old", modes[i]);
		cr_assert(output_open(&output, "old.svg", &err), "%s", err.text);
		sink_puts(&output.sink, "new");
		cr_assert(sink_flush(&output.sink, &err));
		expect_file("old.svg", "old", modes[i]);
		cr_assert(output_commit(&output, &err), "%s", err.text);
		expect_file("old.svg", "new", modes[i]);
		cr_expect_eq(files_in_directory(), 1);
	}
	assert_no_leaks();
}

/* A reader of the old file keeps reading it while it is replaced. */
Test(output, readers_of_the_old_file_keep_it, .init = begin, .fini = end)
{
	struct error err;
	char text[10] = "";
	int fd;

	write_file("old.svg", "old", 0644);
	fd = open("old.svg", O_RDONLY);
	cr_assert(write_output("old.svg", "newer", &err));
	cr_expect_eq(read(fd, text, sizeof(text)), 3);
	cr_expect_str_eq(text, "old");
	close(fd);
}

Test(output, a_symlink_stays_one, .init = begin, .fini = end)
{
	char target[10] = "";
	struct error err;

	write_file("target.svg", "old", 0640);
	cr_assert_eq(symlink("target.svg", "link.svg"), 0);
	cr_assert(write_output("link.svg", "new", &err), "%s", err.text);
	expect_file("target.svg", "new", 0640);
	cr_expect_eq(readlink("link.svg", target, sizeof(target)), 10);
	cr_expect_eq(files_in_directory(), 2);
	assert_no_leaks();
}

#define ANOTHER_USER 12345

/* Another user could put files like these into /tmp. Root's output to them is refused. */
Test(output, a_link_of_another_user_in_a_sticky_directory_is_refused, .init = begin, .fini = end)
{
	static const char *const rows[] = { "link", "through", "file", "fifo" };

	if (geteuid() != 0)
		cr_skip_test("only root can make files of other users");
	write_file("victim", "old", 0600);
	cr_assert_eq(symlink("victim", "link"), 0);
	cr_assert_eq(symlink("link", "through"), 0);
	write_file("file", "old", 0666);
	cr_assert_eq(mkfifo("fifo", 0666), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_assert_eq(lchown(rows[i], ANOTHER_USER, ANOTHER_USER), 0);
	cr_assert_eq(lchown("through", 0, 0), 0);
	cr_assert_eq(chmod(directory, 01777), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { 0 };

		cr_expect_not(write_output(rows[i], "new", &err), "%s", rows[i]);
		cr_expect_eq(err.code, ERROR_DENIED);
		cr_expect_not_null(
			strstr(err.text, " of another user in a world-writable directory"), "%s",
			err.text);
	}
	expect_file("victim", "old", 0600);
	expect_file("file", "old", 0666);
	cr_expect_eq(files_in_directory(), 5);
	assert_no_leaks();
}

/*
 * The directory is not sticky or not world-writable, or the directory or the link belongs to the
 * user who runs kiln.
 */
Test(output, other_links_are_followed, .init = begin, .fini = end)
{
	static const struct {
		mode_t mode;
		uid_t directory, link;
	} rows[] = {
		{ 0777, 0, ANOTHER_USER },
		{ 01775, 0, ANOTHER_USER },
		{ 01777, ANOTHER_USER, ANOTHER_USER },
		{ 01777, ANOTHER_USER, 0 },
	};

	if (geteuid() != 0)
		cr_skip_test("only root can make files of other users");
	write_file("target", "old", 0640);
	cr_assert_eq(symlink("target", "link"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { .text = "" };

		cr_assert_eq(lchown("link", rows[i].link, 0), 0);
		cr_assert_eq(chown(directory, rows[i].directory, 0), 0);
		cr_assert_eq(chmod(directory, rows[i].mode), 0);
		cr_expect(write_output("link", i % 2 ? "odd" : "even", &err), "row %zu: %s", i,
			  err.text);
		expect_file("target", i % 2 ? "odd" : "even", 0640);
	}
	assert_no_leaks();
}

Test(output, what_is_discarded_leaves_nothing, .init = begin, .fini = end)
{
	struct output output;
	struct error err;

	write_file("old.svg", "old", 0644);
	for (int i = 0; i < 2; i++) {
		cr_assert(output_open(&output, i ? "old.svg" : "new.svg", &err));
		sink_puts(&output.sink, "never seen");
		cr_assert(sink_flush(&output.sink, &err));
		output_discard(&output);
	}
	expect_file("old.svg", "old", 0644);
	cr_expect_eq(files_in_directory(), 1);
	assert_no_leaks();
}

Test(output, a_full_device_fails, .init = begin, .fini = end)
{
	struct error err = { 0 };

	cr_expect_not(write_output("/dev/full", "x", &err));
	cr_expect_eq(err.code, ERROR_RESOURCE);
	cr_expect_str_eq(err.text, "/dev/full: cannot write: No space left on device");
	assert_no_leaks();
}

Test(output, devices_and_pipes_are_written_to, .init = begin, .fini = end)
{
	struct stat status;
	struct error err;
	char text[10] = "";
	int fd;

	cr_expect(write_output("/dev/null", "x", &err), "%s", err.text);
	cr_assert_eq(stat("/dev/null", &status), 0);
	cr_expect(S_ISCHR(status.st_mode));
	cr_assert_eq(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDWR);
	cr_expect(write_output("fifo", "abc", &err), "%s", err.text);
	cr_expect_eq(read(fd, text, sizeof(text)), 3);
	cr_expect_str_eq(text, "abc");
	cr_assert_eq(stat("fifo", &status), 0);
	cr_expect(S_ISFIFO(status.st_mode));
	close(fd);
	assert_no_leaks();
}

Test(output, what_cannot_be_written, .init = begin, .fini = end)
{
	static const struct {
		const char *path, *expected;
	} rows[] = {
		{ "directory", "directory: cannot write: Is a directory" },
		{ "missing/new.svg", "missing/new.svg: cannot create: No such file or directory" },
		{ "file/new.svg", "file/new.svg: cannot create: Not a directory" },
	};

	cr_assert_eq(mkdir("directory", 0700), 0);
	write_file("file", "", 0600);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { 0 };

		cr_expect_not(write_output(rows[i].path, "x", &err), "%s", rows[i].path);
		cr_expect_eq(err.code, ERROR_IO);
		cr_expect_str_eq(err.text, rows[i].expected);
	}
	cr_expect_eq(files_in_directory(), 2);
	assert_no_leaks();
}

/* The directory goes away while the file is written. */
Test(output, a_file_that_cannot_be_put_in_place, .init = begin, .fini = end)
{
	struct output output;
	struct error err = { 0 };

	cr_assert_eq(mkdir("directory", 0700), 0);
	cr_assert(output_open(&output, "directory/new.svg", &err));
	sink_puts(&output.sink, "x");
	cr_assert_eq(rmdir("directory"), 0);
	cr_expect_not(output_commit(&output, &err));
	cr_expect_eq(err.code, ERROR_IO);
	cr_expect_not_null(
		strstr(err.text, "directory/new.svg: cannot move the finished file into place"),
		"%s", err.text);
	cr_expect_eq(files_in_directory(), 0);
	assert_no_leaks();
}

/* Opens a terminal: returns its other end, and sets its path. */
static int open_terminal(char *path, size_t size_bytes)
{
	struct termios mode;
	int other = posix_openpt(O_RDWR | O_NOCTTY);
	int fd;

	cr_assert(other >= 0 && grantpt(other) == 0 && unlockpt(other) == 0);
	cr_assert_eq(ptsname_r(other, path, size_bytes), 0);
	fd = open(path, O_RDWR | O_NOCTTY);
	cr_assert_geq(fd, 0);
	cr_assert_eq(tcgetattr(fd, &mode), 0);
	cfmakeraw(&mode);
	cr_assert_eq(tcsetattr(fd, TCSANOW, &mode), 0);
	close(fd);
	return other;
}

/* Names from a capture must not control the terminal, whatever the command. */
Test(output, a_terminal_gets_no_control_characters, .init = begin, .fini = end)
{
	char path[100];
	char text[100] = "";
	struct error err = { .text = "" };
	int other = open_terminal(path, sizeof(path));

	cr_expect(write_output(path, "a;\033]0;b\007\r 3\n", &err), "%s", err.text);
	cr_expect_eq(read(other, text, sizeof(text) - 1), 21);
	cr_expect_str_eq(text, "a;\\x1b]0;b\\x07\\x0d 3\n");
	close(other);
	cr_expect(write_output("file", "\033", &err), "%s", err.text);
	expect_file("file", "\033", 0644);
	assert_no_leaks();
}

Test(output, standard_output, .init = begin, .fini = end)
{
	static const char *const names[] = { NULL, "-" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		int ends[2];
		int saved = dup(STDOUT_FILENO);
		char text[10] = "";
		struct error err;

		cr_assert_eq(pipe(ends), 0);
		cr_assert_eq(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
		cr_expect(write_output(names[i], "abc", &err));
		/* Standard output is still open: other processes may write to it. */
		cr_expect_eq(write(STDOUT_FILENO, "d", 1), 1);
		cr_expect_eq(read(ends[0], text, sizeof(text)), 4);
		cr_expect_str_eq(text, "abcd");
		close(ends[0]);
		dup2(saved, STDOUT_FILENO);
		close(ends[1]);
		close(saved);
	}
	cr_expect_eq(files_in_directory(), 0);
}
