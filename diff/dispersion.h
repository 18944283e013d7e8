/* SPDX-License-Identifier: MIT */
/*
 * Measures the dispersion of functions within runs: how much more their counts vary than counts of
 * independent samples. Samples occur in bursts, so captures are divided into time bins. A program
 * goes through the same phases in every run. To distinguish these phases from bursts, each bin of a
 * capture is compared with the same bin of the other captures:
 *
 *     time bin                    0    1    2    3
 *     load_table  before        190   10    2    2
 *                 after         372   28    4    4     twice as much, as expected
 *     softirq     before          6    8    5    7
 *                 after           5    6   59    8     a burst in one bin
 *
 * The dispersion is Pearson's statistic (McCullagh and Nelder 1989, 4.5): the mean square of the
 * differences, relative to independent samples. For each pair of runs, its degrees of freedom are
 * one less than the number of bins over which a function is spread. A function that runs in only
 * one or two bins has hardly any degrees of freedom, even if it has many samples.
 */
#ifndef DIFF_DISPERSION_H
#define DIFF_DISPERSION_H

#include "base/vec.h"
#include "diff/diff_scale.h"
#include "profile/time_bins.h"

/* Self weight of a row of the union in one time bin of a capture. */
struct binned_weight {
	uint32_t row;
	uint32_t column; /* TIME_BINS for each capture that has bins */
	uint32_t run;
	uint32_t time_bin; /* of equal width, if the capture has such bins */
	uint64_t weight;
};

typedef VEC(struct binned_weight) binned_weights;

struct dispersion {
	float value;   /* 0 if there are too few samples */
	float freedom; /* degrees of freedom; 0 if unknown */
};

struct binned_runs {
	const struct profile *profile;      /* the union */
	const struct binned_weight *binned; /* in the order of rows */
	size_t binned_count;
	size_t run_count, column_count; /* number of runs with bins, and of all their bins */
	double *per_sample;             /* by run: mean weight of a sample */
	double *weights;                /* by column: all samples */
	double *run_weights;            /* by run: all samples in used bins */
	double *counts, *run_counts;    /* samples of one function, by column and by run */
	/* by bin: sum over runs of the count divided by the bin's share of the run */
	double *together;
	bool is_used[TIME_BINS]; /* all runs have samples in the bin */
	uint32_t used_count;
	uint32_t freedom; /* degrees of freedom of an evenly spread function; 0 if unknown */
};

/* By frame. */
struct dispersions {
	struct dispersion *self, *total;
};

/* binned: the weights of runs with bins, in the order of these runs. Arguments are borrowed. */
void binned_runs_init(struct binned_runs *bins, const struct profile *profile,
		      const binned_weights *binned, const struct diff_run *runs, size_t run_count);
void binned_runs_deinit(struct binned_runs *bins);

/*
 * Finds the dispersions of all frames. bins->freedom must not be 0. The caller frees them with
 * dispersions_deinit.
 */
void dispersions_find(const struct binned_runs *bins, struct dispersions *by_frame);
void dispersions_deinit(struct dispersions *dispersions);

#endif
