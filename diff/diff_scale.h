/* SPDX-License-Identifier: MIT */
/*
 * Makes two sides comparable: each side has an exposure, and weights are compared relative to their
 * side's exposure.
 *
 *     before 300 of 1000   after 300 of 900         total:  300 * 900 / 1000 = 270 against 300
 *     in 10 s              in 12 s                  time:   300 * 12 / 10 = 360 against 300
 *                                                   none:   300 against 300
 *
 * Exposures are whole numbers, so their ratios are exact.
 */
#ifndef DIFF_DIFF_SCALE_H
#define DIFF_DIFF_SCALE_H

#include "base/error.h"
#include "profile/profile.h"

enum diff_side {
	DIFF_BEFORE,
	DIFF_AFTER,
	DIFF_SIDES,
};

enum diff_normalisation {
	DIFF_BY_DEFAULT, /* by total; tracepoints and bytes: not normalised */
	DIFF_BY_TOTAL,
	DIFF_BY_TIME,
	DIFF_BY_CPU,
	DIFF_BY_SAMPLES,
	DIFF_BY_OPERATIONS, /* by the numbers given with --ops */
	DIFF_BY_NOTHING,
	DIFF_BY_FACTOR,
};

struct diff_normalising {
	enum diff_normalisation by;
	uint64_t factor, factor_unit;    /* weights before are multiplied by factor / factor_unit */
	uint64_t operations[DIFF_SIDES]; /* operations of all runs of a side together */
};

/* One capture of a side. */
struct diff_run {
	enum diff_side side;
	uint64_t total; /* weight */
	uint64_t sample_count;
	bool has_sample_counts; /* if false, sample_count is a guess, and nothing is tested */
	uint64_t exposure;      /* the run's weights are divided by this */
	uint64_t time_ns;       /* from the first sample to the last; 0 if unknown */
	uint64_t cpu_ns;        /* CPU time, from cpu-clock or task-clock; 0 if unknown */
	bool has_time_bins;     /* with equal counts */
	uint64_t first_bin_ns, bin_ns; /* of bins of equal width; 0 if none */
	uint32_t bin_count;
	bool lacks_left_out, lacks_narrow; /* an SVG that does not show all stacks */
	bool has_exact_functions;          /* the SVG has exact sums of functions */
	uint64_t missing;                  /* weight of stacks that the SVG does not show */
};

/* Parses "total", "time", "cpu", "samples", "ops", "none" or a factor such as 1.25. */
bool diff_normalising_parse(const char *text, struct diff_normalising *ret,
			    struct error *err) WARN_UNUSED;

/*
 * Parses "12000,14500", the numbers of operations before and after, by which the sides are
 * normalised.
 */
bool diff_operations_parse(const char *text, struct diff_normalising *ret,
			   struct error *err) WARN_UNUSED;

/* The default for this kind of profile. */
enum diff_normalisation diff_normalisation_of(const struct profile *profile);

/*
 * Whether weights are divided into bins with equal counts, which are the only bins that are
 * compared between runs.
 */
static inline bool diff_run_has_counted_bins(const struct profile *profile)
{
	return profile->time_bin_count && (!profile->bin_ns || profile->time_bin_parts > 1);
}

/*
 * Returns the description of a run, without its exposure. assumes_samples: if the profile has no
 * sample counts, its weights are used as sample counts.
 */
struct diff_run diff_run_of(const struct profile *profile, enum diff_side side,
			    bool assumes_samples);

/*
 * Finds the exposure of a run. False if the run lacks the value for this normalisation. For
 * operations, diff_share_operations sets the exposures when all runs are known.
 */
bool diff_exposure(const struct diff_run *run, const struct diff_normalising *normalising,
		   uint64_t *ret, struct error *err) WARN_UNUSED;

/*
 * Divides the operations of a side equally among its runs, and sets the sums of exposures. The unit
 * of exposures is a fraction of an operation, the same on both sides, such that all exposures are
 * whole numbers. False on overflow.
 */
bool diff_share_operations(struct diff_run *runs, size_t count,
			   const struct diff_normalising *normalising,
			   uint64_t exposure[DIFF_SIDES], struct error *err) WARN_UNUSED;

/* A description such as "normalised by total: each side is 100%". */
const char *diff_normalisation_text(enum diff_normalisation by);

#endif
