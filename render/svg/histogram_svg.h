/* SPDX-License-Identifier: MIT */
/*
 * Draws histograms as one static SVG: a panel for each, with its percentiles, and the BEFORE side's
 * histogram as an outline:
 *
 *     (all): 711 values
 *          p50   p99            bars: share of the values
 *        ▄▄█|▄▂   |             on a linear axis: share by width of the bucket, so that areas are comparable
 *     +-----------------+
 *      100 µs     1 ms
 */
#ifndef RENDER_SVG_HISTOGRAM_SVG_H
#define RENDER_SVG_HISTOGRAM_SVG_H

#include "base/sink.h"
#include "histogram/histogram_set.h"

struct histogram_svg_options {
	bool is_linear;                     /* the value axis is linear, not logarithmic */
	size_t row_count;                   /* of histograms */
	const struct histogram_set *before; /* NULL if none */
	const char *title;                  /* NULL means the name of the values */
};

void histogram_svg_write(const struct histogram_set *set,
			 const struct histogram_svg_options *options, struct sink *sink);

#endif
