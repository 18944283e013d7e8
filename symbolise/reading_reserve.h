/* SPDX-License-Identifier: MIT */
/*
 * The reserve of steps for reading debug information (dwarf/reading_budget.h). All files of a
 * capture share the reserve. A file draws from the reserve when its own steps are spent. Jobs run
 * in any order, but draw in the order of their numbers. The output therefore does not depend on the
 * threads:
 *
 *     job         0      1       2       3
 *     draws       0    1.5 M     0      0.8 M
 *     left      2.0 M  0.5 M   0.5 M   refused, 0
 *
 * A job that does not draw steps never waits. A job that draws steps waits until all earlier jobs
 * have passed. Threads must take jobs in order, as base/workers.h does.
 */
#ifndef SYMBOLISE_READING_RESERVE_H
#define SYMBOLISE_READING_RESERVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/*
 * Maximum number of steps for all files of a capture together, beyond the steps that their sizes
 * allow. 2 million steps take about 0.1 s.
 */
#define LIMIT_DWARF_RESERVE_STEPS (1u << 21)
/*
 * kiln reads debug information in processes with limited time and memory. After four processes have
 * reached a limit, kiln does not start more processes. Each process takes up to 30 s of CPU time.
 */
#define LIMIT_DWARF_FAILURES 4u

struct reading_reserve {
	pthread_mutex_t lock; /* protects all fields below */
	pthread_cond_t has_passed;
	uint64_t left_steps;
	size_t next_job;  /* all earlier jobs have passed */
	VEC(bool) passed; /* by job */
	unsigned failure_count;
};

void reading_reserve_init(struct reading_reserve *reserve, size_t job_count);
void reading_reserve_deinit(struct reading_reserve *reserve);

/* The largest number of steps that a reader can draw. */
uint64_t reading_reserve_left(struct reading_reserve *reserve);

/*
 * Draws steps from the reserve for a job. If the reserve has fewer steps left, returns false and
 * empties the reserve.
 */
bool reading_reserve_draw(struct reading_reserve *reserve, size_t job, uint64_t steps);

/* Records that the job will not draw more steps. */
void reading_reserve_pass(struct reading_reserve *reserve, size_t job);

/* Records that a process ran out of time or memory. */
void reading_reserve_fail(struct reading_reserve *reserve);

/* Whether more processes may be started. */
bool reading_reserve_allows(struct reading_reserve *reserve);

#endif
