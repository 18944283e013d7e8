/* SPDX-License-Identifier: MIT */
/*
 * Runs a function on several threads and waits for all. The work consists of numbered tasks. No
 * task may depend on another, so that the result is the same for any number of threads.
 */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <stddef.h>

/*
 * Members that workers write must be this far apart. CPUs exchange whole lines, and often fetch
 * pairs of lines.
 */
#define CACHE_LINE_BYTES 128

/* Maximum number of worker threads. More threads would only cost memory. */
#define LIMIT_WORKERS 256u

typedef void workers_function(void *context, size_t index);

/* The default number of threads: the CPUs that this process may run on. */
unsigned workers_default_count(void);

/* Calls function(context, i) once for each i below task_count, on at most thread_count threads. */
void workers_run(unsigned thread_count, size_t task_count, workers_function *function,
		 void *context);

#endif
