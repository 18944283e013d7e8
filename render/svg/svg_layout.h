/* SPDX-License-Identifier: MIT */
/*
 * Where each stack row is drawn. A box is as wide as its share of the whole, and starts where the
 * weights before it end:
 *
 *     units 0 ............................... total      x = units * width / total, in 1/10 pixel
 *     |          root, depth 0                     |
 *     | app                        | bash          |
 *     | main               |///////|                      self of app is what its children leave
 *
 * Positions come from exact 64-bit sums, so boxes of neighbours meet, whatever their number.
 */
#ifndef RENDER_SVG_SVG_LAYOUT_H
#define RENDER_SVG_SVG_LAYOUT_H

#include "base/vec.h"
#include "profile/profile.h"

struct layout_rect {
	uint32_t row; /* of profile->stacks */
	uint32_t depth;
	uint32_t x;     /* tenths of a pixel */
	uint32_t width; /* tenths of a pixel */
};

struct svg_layout {
	VEC(struct layout_rect) rects; /* parents before children, left to right */
	uint32_t depth_count;          /* rows of boxes */
	uint32_t dropped_count;        /* stack rows too narrow to draw */
};

/*
 * Lays out the whole profile over width tenths of a pixel. A box narrower than minimum_width, in
 * millionths of a pixel, is left out with all above it. It is its exact width that counts: on
 * tenths of a pixel a narrower one may come to none. Positions are cut to tenths, or rounded.
 */
void svg_layout_init(struct svg_layout *layout, const struct profile *profile, uint32_t width,
		     uint64_t minimum_width, bool is_rounded);
void svg_layout_deinit(struct svg_layout *layout);

#endif
