/* SPDX-License-Identifier: MIT */
/*
 * What is said of a change. It is said once, when two sides are compared; tables, JSON, SVGs and gates
 * only repeat it.
 *
 *     interval        |--- low ----- change ----- high ---|
 *
 *     more            changed, and above 0           significant among all that is compared
 *     less            changed, and below 0
 *     shifted         changed, but as unchanged code did: diff/diff_reference.h
 *     unchanged       all of the interval is within the margin around 0
 *     uncertain       anything else; so many times more data would tell
 *     not graded      it is not known how many samples there are
 *
 * Intervals hold together, as verdicts do: that of a change or a shift never has 0 in it, that of
 * anything else always has.
 */
#ifndef DIFF_DIFF_VERDICT_H
#define DIFF_DIFF_VERDICT_H

#include <stdbool.h>

#include "diff/diff_scale.h"
#include "diff/significance.h"

enum diff_verdict {
	DIFF_NOT_GRADED,
	DIFF_UNCERTAIN,
	DIFF_UNCHANGED,
	DIFF_SHIFTED,
	DIFF_MORE,
	DIFF_LESS,
	DIFF_VERDICT_COUNT,
};

/* high may be INFINITY. */
struct diff_interval {
	double low, high;
};

struct diff_estimate {
	double p_value;               /* of this alone */
	struct diff_test_noise noise; /* it was tested by */
	struct diff_interval points, percent;
	double needed; /* of DIFF_UNCERTAIN: so many times the data tell; INFINITY: no amount does */
};

/* One thing on both sides, in samples. */
struct diff_counts {
	double count[DIFF_SIDES];
	double all[DIFF_SIDES];      /* samples of the side */
	double exposure[DIFF_SIDES]; /* of rates, in samples */
	bool has_shares;             /* count is compared as a share of all, and else by exposure */
};

/* How sure a verdict is to be. */
struct diff_terms {
	double deviations; /* half of an interval, in standard deviations */
	double margin;     /* in points */
	bool is_significant;
};

static inline bool diff_verdict_is_change(enum diff_verdict verdict)
{
	return verdict == DIFF_MORE || verdict == DIFF_LESS;
}

/* "more", "less", "shifted", "unchanged", "uncertain", "not graded" */
const char *diff_verdict_name(enum diff_verdict verdict);

/* By how many standard deviations the sides differ. */
double diff_verdict_deviations(const struct diff_counts *counts, double noise_factor);

/* Judges by estimate->noise; fills in the rest of the estimate but for its p value. */
enum diff_verdict diff_verdict_find(const struct diff_counts *counts,
				    const struct diff_terms *terms, struct diff_estimate *estimate);

#endif
