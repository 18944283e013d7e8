/* SPDX-License-Identifier: MIT */
/*
 * Lays out the lanes of a flame chart (profile->lanes) on a common time axis:
 *
 *     |  +---+ +-+     +---+ |      levels of the first lane, the heaviest
 *     | tid 7 app            |      its name, as wide as the axis
 *     |     +------+         |      a hole is time without samples
 *     | tid 8 app            |
 *     ┬────────┬────────┬────
 *     9298     9300     9302        seconds on the capture's clock
 *
 * Rectangles narrower than a pixel are merged: one rectangle represents all rows that begin in the
 * same pixel. It shows the heaviest of these rows and, above it, the heaviest of that row's
 * descendants at each level.
 */
#ifndef RENDER_SVG_SVG_LANES_H
#define RENDER_SVG_SVG_LANES_H

#include "render/svg/svg_layout.h"

/* The height of the ticks and labels below the lanes, in pixels. */
#define SVG_LANES_AXIS 26

/*
 * Lays out all lanes over width tenths of a pixel. Adds to layout->dropped_count the number of
 * rows that merged rectangles do not show. The root has no rectangle.
 */
void svg_lanes_layout(struct svg_layout *layout, const struct profile *profile, uint32_t width,
		      bool is_inverted);

/* The dimensions of the axis, in pixels. */
struct svg_lanes_axis {
	uint32_t left, width;
	uint32_t top, bottom; /* of the lanes */
};

/* Writes the axis, and lines at its ticks over the height of all lanes. */
void svg_lanes_write_axis(const struct profile *profile, const struct svg_lanes_axis *axis,
			  struct sink *sink);

/* Writes the times of a row, unescaped: "from 9298.001002003 s to 9298.002003004 s". */
void svg_lanes_write_times(const struct profile *profile, uint32_t row, struct sink *sink);

/*
 * Writes which parts the chart does not show, unescaped: lanes that are not drawn, and merged
 * parts. Writes nothing if the chart shows everything.
 */
void svg_lanes_write_notes(const struct profile *profile, struct sink *sink);

#endif
