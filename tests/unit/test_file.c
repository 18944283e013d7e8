/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object/host_process.h"
#include "tests/support/scratch.h"

static const struct {
	const char *path;
	char content; /* of the file that the path leads to; 0: no file */
} rows[] = {
	{ "/lib/libc.so", 'c' },
	{ "lib//./libc.so", 'c' },
	{ "/lib/../lib/libc.so", 'c' },
	{ "/../../lib/libc.so", 'c' },
	{ "/usr/lib/libc.so", 'c' },    /* usr/lib -> ../lib */
	{ "/alternatives/c", 'c' },     /* -> /lib/libc.so */
	{ "/alternatives/twice", 'c' }, /* -> /usr/lib/libc.so */
	{ "/alternatives/above", 'c' }, /* -> ../../../../lib/libc.so */
	{ "/alternatives/host", 0 },    /* -> a file outside of the root */
	{ "/alternatives/up/secret", 0 },
	{ "/alternatives/loop", 0 },
	{ "/alternatives/missing", 0 },
	{ "/lib/libc.so/x", 0 },
	{ "/lib/none", 0 },
	{ "/lib", 0 },
	{ "/pipe", 0 },
	{ "/", 0 },
	{ "", 0 },
};

static char read_first(int fd)
{
	char content = 0;

	if (fd < 0)
		return 0;
	cr_expect_eq(read(fd, &content, 1), 1);
	close(fd);
	return content;
}

static void make_root(const struct scratch *scratch)
{
	char secret[300];

	scratch_write(scratch, "secret", "s", 1);
	scratch_write(scratch, "root/lib/libc.so", "c", 1);
	scratch_write(scratch, "root/usr/x", "x", 1);
	scratch_write(scratch, "root/alternatives/x", "x", 1);
	scratch_link(scratch, "root/usr/lib", "../lib");
	scratch_link(scratch, "root/alternatives/c", "/lib/libc.so");
	scratch_link(scratch, "root/alternatives/twice", "/usr/lib/libc.so");
	scratch_link(scratch, "root/alternatives/above", "../../../../lib/libc.so");
	snprintf(secret, sizeof(secret), "%s", scratch_path(scratch, "secret"));
	scratch_link(scratch, "root/alternatives/host", secret);
	scratch_link(scratch, "root/alternatives/up", "../..");
	scratch_link(scratch, "root/alternatives/loop", "loop");
	scratch_link(scratch, "root/alternatives/missing", "/none");
	scratch_pipe(scratch, "root/pipe");
}

/* Links in a directory lead only into that directory. */
Test(file, beneath_a_directory)
{
	struct scratch scratch;
	char root[300];

	scratch_open(&scratch);
	make_root(&scratch);
	snprintf(root, sizeof(root), "%s", scratch_path(&scratch, "root"));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct error err;

		cr_expect_eq(read_first(file_open_beneath(root, rows[i].path, &err)),
			     rows[i].content, "%s", rows[i].path);
		cr_expect_eq(read_first(file_open_by_steps(root, rows[i].path,
							   FILE_LAST_LINK_FOLLOWED, &err)),
			     rows[i].content, "%s, by steps", rows[i].path);
	}
	scratch_close(&scratch);
}

/* The root of a process may differ from the directory that the path of its root names now. */
Test(file, of_a_process)
{
	struct scratch scratch;
	struct error err;

	scratch_open(&scratch);
	make_root(&scratch);
	cr_expect_eq(read_first(host_process_open_file(NULL, (uint32_t)getpid(),
						       scratch_path(&scratch, "secret"),
						       FILE_LAST_LINK_REFUSED, &err)),
		     's');
	cr_expect_eq(
		read_first(file_open_by_steps("/proc/self/root", scratch_path(&scratch, "secret"),
					      FILE_LAST_LINK_REFUSED, &err)),
		's');
	scratch_close(&scratch);
}

/* Very long paths, and links that grow at every step. */
Test(file, long_paths)
{
	char path[3 * 4096];
	struct scratch scratch;
	struct error err;

	scratch_open(&scratch);
	memset(path, 'a', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	cr_expect_lt(file_open_by_steps(scratch.path, path, FILE_LAST_LINK_FOLLOWED, &err), 0);
	for (size_t i = 1; i < sizeof(path); i += 2)
		path[i] = '/';
	path[4000] = '\0';
	scratch_link(&scratch, "a", "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a");
	cr_expect_lt(file_open_by_steps(scratch.path, path, FILE_LAST_LINK_FOLLOWED, &err), 0);
	cr_expect_lt(file_open_beneath(scratch.path, path, &err), 0);
	scratch_close(&scratch);
}

/* Unlike other functions, the one for captured paths does not open files of the kernel. */
Test(file, captured_paths)
{
	static const struct {
		const char *path;
		bool is_opened;
	} paths[] = {
		{ "/etc/passwd", true },
		{ "/proc/self/exe", false }, /* a link to this program */
		/* Not /proc/self/maps, which emulators provide themselves. */
		{ "/proc/version", false },
		{ "/proc/kallsyms", false },
		{ "/sys/kernel/uevent_seqnum", false },
		{ "/sys/kernel/tracing/trace_pipe", false },
		{ "/dev/null", false },
		{ "/dev/ptmx", false },
		{ "/", false },
		{ "", false },
	};
	struct error err;
	int fd = file_open("/proc/self/maps", &err);

	cr_expect(fd >= 0);
	close(fd);
	cr_expect_lt(file_open_beneath("/proc", "self/maps", &err), 0);
	cr_expect_lt(file_open_by_steps("/proc", "self/maps", FILE_LAST_LINK_FOLLOWED, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		fd = file_open_captured(paths[i].path, &err);
		cr_expect_eq(fd >= 0, paths[i].is_opened, "%s: %s", paths[i].path, err.text);
		if (fd >= 0)
			close(fd);
	}
}

/* Paths that the kernel recorded lead through links of directories, but do not end in one. */
static const struct {
	const char *path;
	char content;         /* 0: not opened */
	enum error_code code; /* why not */
} recorded_rows[] = {
	{ "/lib/libc.so", 'c', ERROR_NONE },
	{ "/usr/lib/libc.so", 'c', ERROR_NONE }, /* usr/lib -> ../lib */
	{ "/usr/lib/../lib/libc.so", 'c', ERROR_NONE },
	{ "/alternatives/c", 0, ERROR_LINK },
	{ "/alternatives/twice", 0, ERROR_LINK },
	{ "/alternatives/up/secret", 0, ERROR_IO },
	{ "/alternatives/loop", 0, ERROR_LINK },
	{ "/alternatives/missing", 0, ERROR_LINK },
	{ "/usr/lib", 0, ERROR_LINK },
	{ "/lib", 0, ERROR_FORMAT },
	{ "/pipe", 0, ERROR_FORMAT },
	{ "/lib/none", 0, ERROR_IO },
	{ "/lib/libc.so/x", 0, ERROR_IO },
};

static void expect_recorded(size_t row, int fd, const struct error *err, const char *how)
{
	cr_expect_eq(read_first(fd), recorded_rows[row].content, "%s, %s", recorded_rows[row].path,
		     how);
	if (fd < 0)
		cr_expect_eq(err->code, recorded_rows[row].code, "%s, %s: %s",
			     recorded_rows[row].path, how, err->text);
}

Test(file, recorded_paths)
{
	struct scratch scratch;
	char root[300];

	scratch_open(&scratch);
	make_root(&scratch);
	snprintf(root, sizeof(root), "%s", scratch_path(&scratch, "root"));
	for (size_t i = 0; i < ARRAY_SIZE(recorded_rows); i++) {
		const char *path = recorded_rows[i].path;
		char here[600];
		struct error err;

		expect_recorded(i, file_open_recorded(root, path, &err), &err, "below a root");
		expect_recorded(i, file_open_by_steps(root, path, FILE_LAST_LINK_REFUSED, &err),
				&err, "by steps");
		/* Here, "up" leads out of the root, and links to absolute paths nowhere. */
		if (strcmp(path, "/alternatives/up/secret") == 0)
			continue;
		snprintf(here, sizeof(here), "%s%s", root, path);
		expect_recorded(i, file_open_recorded(NULL, here, &err), &err, "on this machine");
	}
	scratch_close(&scratch);
}
