/* SPDX-License-Identifier: MIT */
/*
 * A histogram counts values by bucket. The position of a value in its bucket is not known, so each
 * quantile has bounds:
 *
 *     bucket    [0, 2)  [2, 4)  [4, 8)  [8, ∞)
 *     count       4       10      5       1
 *                          ▲ p50 is the 10th value, the 6th of 10 in its bucket: 2 + 2 · 5.5/10 = 3.1, within [2, 4)
 *
 * The p quantile is the value of rank ⌈p · n⌉. Values in a bucket are assumed to be evenly spread:
 * each is in the middle of one of as many equal parts.
 */
#ifndef HISTOGRAM_HISTOGRAM_H
#define HISTOGRAM_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/*
 * low <= value < high, or an exact value if both are equal. The first can begin at -INFINITY, and
 * the last can end at INFINITY.
 */
struct histogram_bucket {
	double low, high;
	uint64_t count;
};

struct histogram {
	VEC(struct histogram_bucket) buckets; /* after histogram_finish: ascending */
	uint64_t count;                       /* number of values in all buckets */
};

/* A quantile, and the bucket that contains it. */
struct quantile {
	double value; /* in an open bucket: its finite bound */
	double low, high;
};

void histogram_add(struct histogram *histogram, double low, double high, uint64_t count);
void histogram_deinit(struct histogram *histogram);

/*
 * Sorts the buckets, and joins equal buckets. Returns false if two buckets overlap, because
 * quantiles would be wrong.
 */
bool histogram_finish(struct histogram *histogram);

/* Returns the quantile for a share from 0 to 1. The histogram must have values. */
struct quantile histogram_quantile(const struct histogram *histogram, double share);

/*
 * The confidence interval of a quantile, from the binomial distribution of the number of values
 * below it: low and high are the bounds of the buckets of two order statistics; -INFINITY or
 * INFINITY if there are too few values. For any distribution, the interval contains the quantile
 * with at least this confidence. value is the estimate.
 */
struct quantile histogram_interval(const struct histogram *histogram, double share,
				   double confidence);

/*
 * The mean, with each value at the middle of its bucket; values in open buckets are at the finite
 * bound.
 */
double histogram_mean(const struct histogram *histogram);

#endif
