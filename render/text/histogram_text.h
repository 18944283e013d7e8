/* SPDX-License-Identifier: MIT */
/*
 * Writes histograms as bars, with quantiles, and comparisons of two sets of histograms:
 *
 *            from          to      count
 *         4.10 ms     8.19 ms         97 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
 *         8.19 ms     16.4 ms         41 |@@@@@@@@@@@@@@@@@                       |
 *     p99   12.4 ms; 95% confidence: 12.1 ms to 203 ms
 */
#ifndef RENDER_TEXT_HISTOGRAM_TEXT_H
#define RENDER_TEXT_HISTOGRAM_TEXT_H

#include "base/sink.h"
#include "histogram/histogram_set.h"
#include "histogram/quantile_shift.h"

/* The confidence of the intervals, in percent. */
#define HISTOGRAM_CONFIDENCE 0.95

struct histogram_quantile_name {
	const char *name;
	double share;
};

#define HISTOGRAM_QUANTILES 4
extern const struct histogram_quantile_name histogram_quantiles[HISTOGRAM_QUANTILES];

struct histogram_text_options {
	bool is_json;
	bool is_linear; /* for durations: bins of equal width, not powers of two */
	uint64_t limit; /* of histograms, not counting those of all values; 0 means no limit */
};

void histogram_text_write(const struct histogram_set *set,
			  const struct histogram_text_options *options, struct sink *sink);

/* Rows that only one side has are listed at the end. */
void histogram_text_compare(const struct histogram_set *before, const struct histogram_set *after,
			    const struct histogram_text_options *options, struct sink *sink);

/*
 * The bins with which a histogram is drawn: its own buckets or, for durations, wider bins. The
 * caller frees them.
 */
void histogram_bins(const struct histogram_set *set, const struct histogram *histogram,
		    bool is_linear, double largest, struct histogram *ret);

/*
 * Returns the number of rows to write: the rows of all values, and those of the largest groups. If
 * there is only one group, it is omitted, because it contains all values.
 */
size_t histogram_row_count(const struct histogram_set *set, uint64_t limit);

/* The largest bound of a histogram that is not infinite. */
double histogram_largest(const struct histogram *histogram);

/* Writes a value with its unit. */
void histogram_value(const struct histogram_set *set, double value, struct sink *sink);

#endif
