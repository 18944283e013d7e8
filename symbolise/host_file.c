/* SPDX-License-Identifier: MIT */
#include "symbolise/host_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

bool host_file_look_at(int fd, struct statx *ret)
{
	return statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, ret) == 0;
}

/* A file of an overlay is mapped as the file below it, which may have another inode. */
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
	/* btrfs and overlayfs tell stat another device than they tell the kernel's maps. */
	if (module->device_major != status->stx_dev_major ||
	    module->device_minor != status->stx_dev_minor)
		return HOST_FILE_UNKNOWN;
	return HOST_FILE_SAME;
}

/*
 * File systems use an inode again for the next file; its generation, where the capture has one, tells
 * the two apart. A file written over in place keeps both, but not its time of change.
 * perf inject --jit gives every file it makes the generation 1.
 */
bool host_file_has_other_generation(int fd, const struct module *module)
{
	long generation = 0; /* declared as long, written as int */

	return module->inode_generation > 1 && ioctl(fd, FS_IOC_GETVERSION, &generation) == 0 &&
	       (uint32_t)generation != (uint32_t)module->inode_generation;
}

bool host_file_is_changed(const struct statx *status, int64_t capture_time_s)
{
	return capture_time_s && status->stx_ctime.tv_sec > capture_time_s;
}

/* perf record keeps files by linking to them, which is a change too: so the next capture would cost this
 * one its names. Files are seldom written over so that their own time says nothing of it. */
bool host_file_is_only_linked(const struct statx *status, int64_t capture_time_s)
{
	return status->stx_nlink > 1 && status->stx_mask & STATX_BTIME &&
	       status->stx_btime.tv_sec <= capture_time_s &&
	       status->stx_mtime.tv_sec <= capture_time_s;
}
