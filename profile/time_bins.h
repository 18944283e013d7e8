/* SPDX-License-Identifier: MIT */
/*
 * Divides a capture into time bins: 16 with about equally many samples each, or more of equal
 * width.
 *
 *     times      ─ time_histogram_add ─▶ buckets of 2^shift ns   . : | . . : : | | . : .
 *     histogram  ─ time_bins_make ─────▶ bins                    [ 0  ][  1  ][2][  3  ]
 *                  time_bins_make_equal  bins                    [ 0 ][ 1 ][ 2 ][ 3 ][ 4 ]
 *                  time_bins_make_both   bins                    0:0 1:1 1:2 2:2 3:3 4:3
 *
 * The histogram has at most TIME_BUCKETS buckets. When a time is too far from the others, all
 * buckets become twice as wide. The result depends only on the times, not on their order.
 */
#ifndef PROFILE_TIME_BINS_H
#define PROFILE_TIME_BINS_H

#include <stdint.h>

#include "profile/selection/time_windows.h"

#define TIME_BUCKETS 4096

/*
 * All captures have the same number of bins, because bins are compared between captures. With
 * fewer, longer bins, samples in different bins are less correlated, but the variance is less
 * certain. Ten to thirty bins are best (Schmeiser 1982).
 */
#define TIME_BINS 16
/* A capture with fewer samples per bin is not divided. */
#define TIME_BIN_SAMPLES 8

/* Initially all zero. */
struct time_histogram {
	unsigned shift;
	uint64_t first, last; /* buckets in use: time >> shift */
	uint64_t total;       /* samples; 0 if no bucket is in use */
	uint64_t counts[TIME_BUCKETS];
};

/* The maximum number of bins of equal width. A callchain stores its bin in 16 bits. */
#define TIME_EQUAL_BINS_MAX 32768

struct time_bins {
	uint32_t count; /* 0 if there are too few samples, or samples without times */
	/*
	 * TIME_BINS if there are both kinds of bins; the number of a bin is then EQUAL-WIDTH *
	 * TIME_BINS + EQUAL-COUNT. Otherwise 1.
	 */
	uint32_t parts;
	uint64_t width_ns;            /* if 0, the bins have equal counts instead */
	uint64_t first_ns;            /* equal widths: start of the first bin */
	uint64_t until_ns[TIME_BINS]; /* equal counts: end of each bin; the last is UINT64_MAX */
};

void time_histogram_add(struct time_histogram *histogram, uint64_t time_ns, uint64_t sample_count);

/* Adds the counts of `from`. */
void time_histogram_merge(struct time_histogram *histogram, const struct time_histogram *from);

void time_bins_make(struct time_bins *bins, const struct time_histogram *histogram);

/*
 * Makes bins of equal width: least_ns, or wider if there would be more than count_max, which is at
 * least 20 and at most TIME_EQUAL_BINS_MAX. The width is 1, 2 or 5 times a power of ten.
 */
void time_bins_make_equal(struct time_bins *bins, const struct time_histogram *histogram,
			  uint64_t least_ns, uint32_t count_max);

/*
 * Makes both kinds of bins, each as if it were the only kind. There are at most TIME_EQUAL_BINS_MAX
 * / TIME_BINS bins of equal width.
 */
void time_bins_make_both(struct time_bins *bins, const struct time_histogram *histogram,
			 uint64_t least_ns, uint32_t count_max);

/* The bin that contains a time; 0 if there are no bins. */
uint32_t time_bins_find(const struct time_bins *bins, uint64_t time_ns);

/*
 * Divides an interval among bins of equal width. Returns how much of left_ns is in the first bin
 * that the interval overlaps, and moves *from_ns to the end of that bin. The last bin gets the
 * whole rest. Only time in windows counts; windows may be NULL.
 */
uint64_t time_bins_part(const struct time_bins *bins, const struct time_windows *windows,
			uint64_t *from_ns, uint64_t left_ns, uint32_t *bin_ret);

#endif
