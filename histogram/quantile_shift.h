/* SPDX-License-Identifier: MIT */
/*
 * Computes how a quantile changed, as a ratio with a confidence interval:
 *
 *     before  p99  4.1 ms  |--|                 each interval has a confidence of √0.95, so that
 *     after   p99  5.3 ms         |---|         both are right with 0.95
 *     shift        +29%        [+12%, +48%]     high of one side against low of the other
 *
 * A shift within a bucket cannot be measured, so the interval is at least as wide as the bucket.
 */
#ifndef HISTOGRAM_QUANTILE_SHIFT_H
#define HISTOGRAM_QUANTILE_SHIFT_H

#include "histogram/histogram.h"

struct quantile_shift {
	struct quantile before, after; /* estimates with the bounds of their buckets */
	double change;                 /* of the estimates: 0.1 means 10% more; NAN: not known */
	double low, high;              /* of the confidence interval; may be infinite */
};

/* Returns the shift between two histograms, whose values must not be negative. */
struct quantile_shift quantile_shift_of(const struct histogram *before,
					const struct histogram *after, double share,
					double confidence);

#endif
