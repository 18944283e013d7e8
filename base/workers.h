/* SPDX-License-Identifier: MIT */
/*
 * Run one function on several threads and wait for all. Work is told apart by index alone, so
 * what each index does must not depend on the others: then the number of threads cannot be seen
 * in the result.
 */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <stddef.h>

/* Worker threads. More only cost memory. */
#define LIMIT_WORKERS 256u

typedef void workers_function(void *context, size_t index);

/* Threads to use by default: the processors this process may run on. */
unsigned workers_default_count(void);

/* Calls function(context, i) once for each i below task_count, on at most thread_count threads. */
void workers_run(unsigned thread_count, size_t task_count, workers_function *function,
		 void *context);

#endif
