/* SPDX-License-Identifier: MIT */
#include "object/host_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "object/file.h"

/* The status of Linux 6.18 has 1.5 kB; lists of groups and CPUs can make it longer. */
#define STATUS_BYTES_MAX ((uint64_t)1 << 20)

static bool read_file(uint32_t pid, const char *name, struct file_bytes *ret)
{
	char path[64];
	struct error ignored;
	bool good;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/%s", (unsigned)pid, name);
	fd = file_open(path, &ignored);
	if (fd < 0)
		return false;
	good = file_read(fd, STATUS_BYTES_MAX, ret, &ignored);
	close(fd);
	return good;
}

/* The last number of "NSpid:\t4242\t7", which kernels have since 4.1. */
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

/* The start time by the wall clock; field 22 of stat has the ticks since boot. */
static bool read_begin(uint32_t pid, int64_t *ret)
{
	struct file_bytes stat;
	struct timespec boot_clock;
	const char *at;
	long ticks_per_s = sysconf(_SC_CLK_TCK);
	unsigned long long ticks;

	if (!read_file(pid, "stat", &stat))
		return false;
	/* Field 2 is the comm in parentheses, which may contain any byte. */
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

/*
 * Whether two links in /proc lead to the same inode. Reading them requires permission to trace the
 * process.
 */
static bool is_same_link(uint32_t pid, const char *name)
{
	char path[64], own[64];
	struct stat status, own_status;

	snprintf(path, sizeof(path), "/proc/%u/%s", (unsigned)pid, name);
	snprintf(own, sizeof(own), "/proc/self/%s", name);
	return stat(path, &status) != 0 || stat(own, &own_status) != 0 ||
	       (status.st_dev == own_status.st_dev && status.st_ino == own_status.st_ino);
}

bool host_process_sees_other_files(uint32_t pid)
{
	return !is_same_link(pid, "ns/mnt") || !is_same_link(pid, "root");
}
