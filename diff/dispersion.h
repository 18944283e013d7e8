/* SPDX-License-Identifier: MIT */
/*
 * How much more counts vary than those of independent samples would. Samples come in bursts, so
 * captures are parted into blocks of time. A program does one thing after another, and does so in every
 * run: that is told from bursts by comparing each block of a capture to what the same block of the
 * others lets expect.
 *
 *     block                       0    1    2    3
 *     load_table  before        190   10    2    2
 *                 after         372   28    4    4     twice as much: as expected
 *     softirq     before          6    8    5    7
 *                 after           5    6   59    8     one block is a burst
 *
 * The mean square of the differences, over what it is for independent samples, is the dispersion: of
 * Pearson's statistic (McCullagh and Nelder 1989, 4.5). Where the others have little, nothing is
 * expected of one block more than of another.
 *
 * Its degrees of freedom are one less than the blocks something is spread over, for each pair of runs:
 * of what is all in one or two blocks there is hardly anything to compare, however much it is.
 */
#ifndef DIFF_DISPERSION_H
#define DIFF_DISPERSION_H

#include "base/vec.h"
#include "diff/diff_scale.h"
#include "profile/time_bins.h"

/* What a row of the union weighs itself in one block of a capture. */
struct binned_weight {
	uint32_t row;
	uint32_t column; /* TIME_BINS for each capture that has blocks, one capture after another */
	uint64_t weight;
};

typedef VEC(struct binned_weight) binned_weights;

struct dispersion {
	float value;   /* 0: too little to say */
	float freedom; /* how much is known of it, in degrees; 0: nothing is */
};

struct binned_runs {
	const struct profile *profile;     /* the union */
	const struct binned_weight *parts; /* in the order of rows */
	size_t part_count;
	size_t run_count, column_count; /* of captures that have blocks */
	double *per_sample;             /* by run: what a sample weighs on average */
	double *weights;                /* by column, of all that was sampled */
	double *run_weights;            /* by run, in the blocks that are used */
	double *counts, *run_counts; /* by column, and by run: of what is looked at, in samples */
	double *together; /* by block: the counts of all runs, each over its run's part that the block is */
	bool is_used[TIME_BINS]; /* all runs have samples in it */
	uint32_t used_count;
	uint32_t freedom; /* of what is in all blocks alike; 0: nothing is known */
};

/* By frame. */
struct dispersions {
	struct dispersion *self, *total;
};

/* parts are of the runs that have blocks, in their order. What is passed is kept by the caller. */
void binned_runs_init(struct binned_runs *blocks, const struct profile *profile,
		      const binned_weights *parts, const struct diff_run *runs, size_t run_count);
void binned_runs_deinit(struct binned_runs *blocks);

/* Finds the dispersions of all frames over all rows, into arrays that are the caller's to free with
 * dispersions_deinit. Freedom is not 0. */
void dispersions_find(const struct binned_runs *blocks, struct dispersions *by_frame);
void dispersions_deinit(struct dispersions *dispersions);

#endif
