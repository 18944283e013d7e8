/* SPDX-License-Identifier: MIT */
/*
 * Processes of this machine that still run and are those of a capture. One in a container has several
 * numbers: one in each numbering around it.
 *
 *     capture, this machine   4242   NSpid of /proc/4242/status:  4242  7
 *     inside the container       7   it writes /tmp/perf-7.map, which is /proc/4242/root/tmp/perf-7.map
 */
#ifndef OBJECT_HOST_PROCESS_H
#define OBJECT_HOST_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct host_process {
	uint32_t own_pid; /* the number it has for itself */
	uid_t owner;
};

/* False when no process pid runs, or only one that began after before_s (0: at any time). */
bool host_process_find(uint32_t pid, int64_t before_s, struct host_process *ret);

/* Whether a path means another file to process pid than to us: it has another root, or other mounts. */
bool host_process_sees_other_files(uint32_t pid);

#endif
