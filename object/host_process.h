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

#include <sys/types.h>

#include "object/file.h"

struct host_process {
	uint32_t own_pid; /* PID in the process's own PID namespace */
	uid_t owner;
};

/*
 * Finds a running process. Returns false if no process has this PID, or if the process started
 * after before_s (0: no limit).
 */
bool host_process_find(uint32_t pid, int64_t before_s, struct host_process *ret);

/*
 * Opens the root directories of processes. A process that is restricted by Landlock cannot follow
 * /proc/PID/root. Such a process asks another process to follow the link
 * (symbolise/root_service.h).
 */
struct host_roots {
	int (*open)(const void *context, uint32_t pid); /* returns a descriptor, or -1 */
	const void *context;
};

/* The root directory of process pid as a descriptor for paths only, or -1. If roots is NULL, this
 * process opens the directory itself. */
int host_process_open_root(const struct host_roots *roots, uint32_t pid) WARN_UNUSED;

/*
 * Whether process pid has a different root or mount namespace. In such a namespace, paths may lead
 * to different files.
 */
bool host_process_sees_other_files(const struct host_roots *roots, uint32_t pid);

/* Opens a path in the root directory of process pid, which may be in a container; see
 * file_open_below. */
int host_process_open_file(const struct host_roots *roots, uint32_t pid, const char *path,
			   enum file_last_link last, struct error *err) WARN_UNUSED;

#endif
