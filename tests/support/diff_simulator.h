/* SPDX-License-Identifier: MIT */
/*
 * Captures of a simulated program, with a fixed seed: it has 30 functions of 0.4 to 33%, twelve
 * that run in bursts, and one that may change. Comparing equal programs shows false changes;
 * comparing different programs shows missed changes.
 */
#ifndef TESTS_SUPPORT_DIFF_SIMULATOR_H
#define TESTS_SUPPORT_DIFF_SIMULATOR_H

#include "diff/compare.h"
#include "tests/support/random.h"

/* The functions' names are f00 to f42; f00 is the largest, f42 takes the program's lookup_share. */
#define SIMULATED_STEADY    30
#define SIMULATED_BURSTING  12
#define SIMULATED_FUNCTIONS (SIMULATED_STEADY + SIMULATED_BURSTING + 1)

struct simulated_program {
	double samples;         /* of a run, about */
	double lookup_share;    /* of f42; 0: there is no f42 */
	double slower;          /* f00 takes this many times longer; 0: unchanged */
	double between_runs;    /* coefficient of variation of every function, from run to run */
	double length_varies;   /* the same, of the length of runs */
	uint32_t burst_samples; /* the most of each of a run's three bursts; 0: no bursts */
	bool has_times;         /* samples are binned by time */
	bool has_varying_periods;
};

/* The first adds a run; the second compares this many runs of each side. */
void diff_simulator_add(struct diff *diff, const struct simulated_program *program,
			enum diff_side side, struct random *random);
void diff_simulator_compare(struct diff *diff, const struct simulated_program *before,
			    const struct simulated_program *after, uint32_t runs,
			    struct random *random);

/* Whether any function or row is called a change; the total does not count. */
bool diff_simulator_has_change(const struct diff *diff);

#endif
