/* SPDX-License-Identifier: MIT */
/*
 * Whether a file of this machine is the one that was mapped, by what the kernel recorded of the mapping: device,
 * inode, generation; and whether it has changed since.
 */
#ifndef SYMBOLISE_HOST_FILE_H
#define SYMBOLISE_HOST_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "process/module.h"

struct statx;

enum host_file_match {
	HOST_FILE_UNKNOWN, /* the capture has no inode, or the file system shows others to its users */
	HOST_FILE_SAME,
	HOST_FILE_OTHER,
};

/* False when fd cannot be looked at. */
bool host_file_look_at(int fd, struct statx *ret);

enum host_file_match host_file_compare(int fd, const struct statx *status,
				       const struct module *module);

/* Whether the capture has a generation, and the file another. */
bool host_file_has_other_generation(int fd, const struct module *module);

enum host_file_change {
	HOST_FILE_UNCHANGED, /* or nobody knows */
	HOST_FILE_LINKED,    /* by perf record most likely, when it ended; or as below */
	HOST_FILE_TOUCHED, /* in some way, and perhaps written over: its time of writing can be set */
	HOST_FILE_WRITTEN,
};

/* What became of it after the module was mapped, however soon. */
enum host_file_change host_file_change_since_mapping(const struct statx *status,
						     const struct module *module);

/* Whether it was changed after the capture was written (0: nobody knows when), in any way, and whether all
 * that can have changed is a further link to it. */
bool host_file_is_changed(const struct statx *status, int64_t capture_time_s);
bool host_file_is_only_linked(const struct statx *status, int64_t capture_time_s);

#endif
