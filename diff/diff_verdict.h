/* SPDX-License-Identifier: MIT */
/*
 * The verdict on a change. Each comparison determines the verdict once; tables, JSON, SVGs and
 * --fail-if all use the same verdict.
 *
 *     interval        |--- low ----- change ----- high ---|
 *
 *     more            significant, and above 0
 *     less            significant, and below 0
 *     shifted         significant, but shares of unchanged functions moved alike: diff_grade_shifts
 *     unchanged       the whole interval is within the margin around 0
 *     uncertain       anything else; estimate.needed: how much more data a verdict needs
 *     not graded      the number of samples is unknown
 *
 * Intervals agree with verdicts: the interval of a change or shift excludes 0, and all other
 * intervals include 0.
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
	double p_value; /* not corrected */
	struct overdispersion overdispersion;
	struct diff_interval points, percent;
	double needed; /* DIFF_UNCERTAIN: how many times the data would suffice for a verdict */
};

/* A function or row on both sides, in samples. */
struct diff_counts {
	double count[DIFF_SIDES];
	double all[DIFF_SIDES];      /* samples of the side */
	double exposure[DIFF_SIDES]; /* for rates: exposure, in samples */
	bool has_shares;             /* count is relative to all, not to exposure */
};

/* The parameters that determine verdicts. */
struct diff_terms {
	double deviations; /* half width of an interval, in standard deviations */
	double margin;     /* points */
	bool is_significant;
};

static inline bool diff_verdict_is_change(enum diff_verdict verdict)
{
	return verdict == DIFF_MORE || verdict == DIFF_LESS;
}

/* The name of a verdict: "more", "less", "shifted", "unchanged", "uncertain" or "not graded". */
const char *diff_verdict_name(enum diff_verdict verdict);

/* The difference between the sides, in standard deviations. */
double diff_verdict_deviations(const struct diff_counts *counts, double noise_factor);

/* Reads estimate->overdispersion, and fills in the rest of the estimate except its p value. */
enum diff_verdict diff_verdict_find(const struct diff_counts *counts,
				    const struct diff_terms *terms, struct diff_estimate *estimate);

#endif
