/* SPDX-License-Identifier: MIT */
/*
 * Processes that run on this machine and may be in a capture. A process in a container has a PID in
 * each PID namespace around it.
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
	uint32_t own_pid; /* in its own PID namespace */
	uid_t owner;
};

/*
 * Finds a running process. False if there is none with this PID, or if it started after before_s
 * (0: no limit).
 */
bool host_process_find(uint32_t pid, int64_t before_s, struct host_process *ret);

/* Whether process pid has another root or mount namespace, so that paths may mean other files. */
bool host_process_sees_other_files(uint32_t pid);

#endif
