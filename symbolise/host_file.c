/* SPDX-License-Identifier: MIT */
#include "symbolise/host_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define NS_PER_SECOND ((int64_t)1000000000)

/* perf inject --jit sets this inode generation for all files that it writes. */
#define INJECTED_GENERATION 1

bool host_file_look_at(int fd, struct statx *ret)
{
	return statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, ret) == 0;
}

/* On overlayfs, a mapping can have the inode of the lower file. */
static bool is_overlay(int fd)
{
	struct statfs status;

	return fstatfs(fd, &status) != 0 || status.f_type == OVERLAYFS_SUPER_MAGIC;
}

enum host_file_match host_file_compare(int fd, const struct statx *status,
				       const struct module *module)
{
	if (!module->inode)
		return HOST_FILE_UNKNOWN;
	if (module->inode != status->stx_ino)
		return is_overlay(fd) ? HOST_FILE_UNKNOWN : HOST_FILE_OTHER;
	if (host_file_has_other_generation(fd, module))
		return HOST_FILE_OTHER;
	/* On btrfs and overlayfs, stat and the kernel's maps report different devices. */
	if (module->device_major != status->stx_dev_major ||
	    module->device_minor != status->stx_dev_minor)
		return HOST_FILE_UNKNOWN;
	return HOST_FILE_SAME;
}

/*
 * File systems reuse inodes. If the capture has inode generations, these distinguish the files. A
 * file that is rewritten in place keeps its inode and generation, but its ctime changes.
 */
bool host_file_has_other_generation(int fd, const struct module *module)
{
	/* FS_IOC_GETVERSION is declared with long, but file systems write an int. */
	union {
		long declared;
		int written;
	} generation = { 0 };

	return module->inode_generation > INJECTED_GENERATION &&
	       ioctl(fd, FS_IOC_GETVERSION, &generation) == 0 &&
	       (uint32_t)generation.written != (uint32_t)module->inode_generation;
}

static int64_t time_ns_of(const struct statx_timestamp *time)
{
	int64_t ns;

	return __builtin_mul_overflow(time->tv_sec, NS_PER_SECOND, &ns) ||
			       __builtin_add_overflow(ns, (int64_t)time->tv_nsec, &ns)
		       ? INT64_MAX
		       : ns;
}

enum host_file_change host_file_change_since_mapping(const struct statx *status,
						     const struct module *module)
{
	int64_t mapped_ns = module->mapped_wall_ns;

	/* perf inject writes its files long after the JIT code was mapped. */
	if (!mapped_ns || module->inode_generation == INJECTED_GENERATION ||
	    time_ns_of(&status->stx_ctime) <= mapped_ns)
		return HOST_FILE_UNCHANGED;
	if (time_ns_of(&status->stx_mtime) > mapped_ns)
		return HOST_FILE_WRITTEN;
	/* perf record ends by adding hard links to its build-id cache. */
	return status->stx_nlink > 1 ? HOST_FILE_LINKED : HOST_FILE_TOUCHED;
}

bool host_file_is_changed(const struct statx *status, int64_t capture_time_s)
{
	return capture_time_s && status->stx_ctime.tv_sec > capture_time_s;
}

/*
 * perf record hard-links files into its cache, which changes the ctime of the files. Without this
 * exception, each new recording would make the files of earlier captures unusable. Rewriting nearly
 * always also changes the mtime.
 */
bool host_file_is_only_linked(const struct statx *status, int64_t capture_time_s)
{
	return status->stx_nlink > 1 && status->stx_mask & STATX_BTIME &&
	       status->stx_btime.tv_sec <= capture_time_s &&
	       status->stx_mtime.tv_sec <= capture_time_s;
}
