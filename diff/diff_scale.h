/* SPDX-License-Identifier: MIT */
/*
 * What makes two sides comparable: each has an exposure, and a weight counts by its share of that.
 *
 *     before 300 of 1000   after 300 of 900         total:  300 * 900 / 1000 = 270 against 300
 *     in 10 s              in 12 s                  time:   300 * 12 / 10 = 360 against 300
 *                                                   none:   300 against 300
 *
 * All in whole numbers, so that the same profiles give the same digits everywhere.
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
	DIFF_BY_DEFAULT, /* by total, or not at all where how often something happened is the point */
	DIFF_BY_TOTAL,
	DIFF_BY_TIME,
	DIFF_BY_CPU,
	DIFF_BY_SAMPLES,
	DIFF_BY_OPERATIONS, /* of which the user says how many each side did */
	DIFF_BY_NOTHING,
	DIFF_BY_FACTOR,
};

struct diff_normalising {
	enum diff_normalisation by;
	uint64_t factor, factor_unit;    /* before counts factor / factor_unit times */
	uint64_t operations[DIFF_SIDES]; /* that all runs of a side did together */
};

/* One capture of a side, and what is known of it as a whole. */
struct diff_run {
	enum diff_side side;
	uint64_t total; /* weight */
	uint64_t sample_count;
	bool has_sample_counts; /* else sample_count is a guess that nothing is to be graded by */
	uint64_t exposure;      /* what its weights are a share of */
	uint64_t time_ns;       /* from the first sample to the last; 0: not known */
	uint64_t cpu_ns;        /* counted by an event of processor time; 0: there is none */
	bool has_time_bins;     /* of time */
	bool lacks_left_out, lacks_narrow; /* it is a flame graph without all of its stacks */
	bool has_exact_functions;          /* but what they come to is known */
	uint64_t missing;                  /* what of it is known to be missing */
};

/* Parses "total", "time", "cpu", "samples", "ops", "none" or a factor such as 1.25. */
bool diff_normalising_parse(const char *text, struct diff_normalising *ret,
			    struct error *err) WARN_UNUSED;

/* Parses "12000,14500": operations before and after; sets them, and to normalise by them. */
bool diff_operations_parse(const char *text, struct diff_normalising *ret,
			   struct error *err) WARN_UNUSED;

/* What the default is for profiles like this one. */
enum diff_normalisation diff_normalisation_of(const struct profile *profile);

/* But for its exposure. assumes_samples: weights are numbers of samples, where nothing says how many
 * samples they are. */
struct diff_run diff_run_of(const struct profile *profile, enum diff_side side,
			    bool assumes_samples);

/* Of a run. False when it does not have what it is to be normalised by. Operations are shared out among the
 * runs of a side by diff_share_operations, when all runs are known. */
bool diff_exposure(const struct diff_run *run, const struct diff_normalising *normalising,
		   uint64_t *ret, struct error *err) WARN_UNUSED;

/*
 * Has each run of a side be as much of its operations as any other, and sets the sums of exposures. The unit
 * is a part of an operation, the same on both sides, so that all are whole numbers. False when they are too many.
 */
bool diff_share_operations(struct diff_run *runs, size_t count,
			   const struct diff_normalising *normalising,
			   uint64_t exposure[DIFF_SIDES], struct error *err) WARN_UNUSED;

/* In words: "each side's total is 100 %". */
const char *diff_normalisation_text(enum diff_normalisation by);

#endif
