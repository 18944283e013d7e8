/* SPDX-License-Identifier: MIT */
/*
 * Compares a file on this machine with the device, inode and inode generation that the kernel
 * recorded for a mapping. Also finds out whether the file changed afterwards.
 */
#ifndef SYMBOLISE_HOST_FILE_H
#define SYMBOLISE_HOST_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "process/module.h"

struct statx;

enum host_file_match {
	/* the capture has no inode, or the file is on an overlay, whose inodes differ */
	HOST_FILE_UNKNOWN,
	HOST_FILE_SAME,
	HOST_FILE_OTHER,
};

/* Calls statx() on fd. Returns false if statx() fails. */
bool host_file_look_at(int fd, struct statx *ret);

enum host_file_match host_file_compare(int fd, const struct statx *status,
				       const struct module *module);

/* Whether the capture has an inode generation and the file has a different generation. */
bool host_file_has_other_generation(int fd, const struct module *module);

enum host_file_change {
	HOST_FILE_UNCHANGED, /* no change, or unknown */
	/*
	 * only ctime is newer, and the file has several links. Probably perf record added a link,
	 * but the file may have been rewritten
	 */
	HOST_FILE_LINKED,
	/* ctime is newer; perhaps the file was rewritten, because programs can set mtime */
	HOST_FILE_TOUCHED,
	HOST_FILE_WRITTEN,
};

/* Returns how the file changed after the module was mapped. */
enum host_file_change host_file_change_since_mapping(const struct statx *status,
						     const struct module *module);

/*
 * Whether the file changed after the capture was written, and whether a new hard link is the only
 * possible change. The time of the capture is 0 if unknown.
 */
bool host_file_is_changed(const struct statx *status, int64_t capture_time_s);
bool host_file_is_only_linked(const struct statx *status, int64_t capture_time_s);

#endif
