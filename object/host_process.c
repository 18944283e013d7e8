/* SPDX-License-Identifier: MIT */
#include "object/host_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* /proc/PID/status takes 1.5 kB in Linux 6.18; lists of groups and CPUs can make it longer. */
#define STATUS_BYTES_MAX ((uint64_t)1 << 20)

static bool read_path(const char *path, struct file_bytes *ret)
{
	struct error ignored;
	bool good;
	int fd;

	fd = file_open(path, &ignored);
	if (fd < 0)
		return false;
	good = file_read(fd, STATUS_BYTES_MAX, ret, &ignored);
	close(fd);
	return good;
}

static bool read_file(uint32_t pid, const char *name, struct file_bytes *ret)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/%s", (unsigned)pid, name);
	return read_path(path, ret);
}

/* The last number of "NSpid:\t4242\t7", a line that exists since Linux 4.1. */
static bool read_own_pid(uint32_t pid, uint32_t *ret)
{
	struct file_bytes status;
	const char *line;
	char *end;

	if (!read_file(pid, "status", &status))
		return false;
	line = strstr(status.at, "\nNSpid:");
	*ret = pid;
	for (line = line ? line + strlen("\nNSpid:") : NULL; line; line = end) {
		unsigned long number = strtoul(line, &end, 10);

		if (end == line || memchr(line, '\n', (size_t)(end - line)))
			break;
		*ret = (uint32_t)number;
	}
	file_bytes_deinit(&status);
	return true;
}

/* The start time by the wall clock. Field 22 of stat is the start time in ticks since boot. */
static bool read_begin(uint32_t pid, int64_t *ret)
{
	struct file_bytes stat;
	struct timespec boot_clock;
	const char *at;
	long ticks_per_s = sysconf(_SC_CLK_TCK);
	unsigned long long ticks;

	if (!read_file(pid, "stat", &stat))
		return false;
	/* Field 2 is the comm in parentheses. A comm may contain any byte. */
	at = strrchr(stat.at, ')');
	for (unsigned field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	ticks = at ? strtoull(at, NULL, 10) : 0;
	file_bytes_deinit(&stat);
	if (!at || ticks_per_s <= 0 || clock_gettime(CLOCK_BOOTTIME, &boot_clock) != 0)
		return false;
	*ret = (int64_t)time(NULL) - (int64_t)boot_clock.tv_sec +
	       (int64_t)(ticks / (unsigned long long)ticks_per_s);
	return true;
}

bool host_process_find(uint32_t pid, int64_t before_s, struct host_process *ret)
{
	char path[32];
	struct stat status;
	int64_t begin_s;

	snprintf(path, sizeof(path), "/proc/%u", (unsigned)pid);
	if (!pid || stat(path, &status) != 0 || !read_begin(pid, &begin_s) ||
	    (before_s && begin_s > before_s))
		return false;
	ret->owner = status.st_uid;
	return read_own_pid(pid, &ret->own_pid);
}

int host_process_open_root(const struct host_roots *roots, uint32_t pid)
{
	char path[32];

	if (roots)
		return roots->open(roots->context, pid);
	snprintf(path, sizeof(path), "/proc/%u/root", (unsigned)pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* The id of the mount that contains an open directory; -1 if unknown. */
static long read_mount_id(int fd)
{
	char path[64];
	struct file_bytes info;
	const char *line;
	long id;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (!read_path(path, &info))
		return -1;
	line = strstr(info.at, "\nmnt_id:");
	id = line ? strtol(line + strlen("\nmnt_id:"), NULL, 10) : -1;
	file_bytes_deinit(&info);
	return id;
}

/* Also compares mounts: a mount has a different id in each mount namespace. */
static bool is_same_directory(int fd, int other_fd)
{
	struct stat status, other_status;

	return fstat(fd, &status) == 0 && fstat(other_fd, &other_status) == 0 &&
	       status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino &&
	       read_mount_id(fd) == read_mount_id(other_fd);
}

bool host_process_sees_other_files(const struct host_roots *roots, uint32_t pid)
{
	int root = host_process_open_root(roots, pid);
	int own_root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool sees_others = root >= 0 && own_root >= 0 && !is_same_directory(root, own_root);

	if (root >= 0)
		close(root);
	if (own_root >= 0)
		close(own_root);
	return sees_others;
}

int host_process_open_file(const struct host_roots *roots, uint32_t pid, const char *path,
			   enum file_last_link last, struct error *err)
{
	int root = host_process_open_root(roots, pid);
	int fd;

	if (root < 0) {
		error_set(err, ERROR_IO, "cannot open the root directory of process %u",
			  (unsigned)pid);
		return -1;
	}
	fd = file_open_below(root, path, last, err);
	close(root);
	return fd;
}
