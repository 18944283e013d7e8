/* SPDX-License-Identifier: MIT */
/*
 * Computes the positions of the frames. A rectangle's width is its share of the total. The left
 * edge of a rectangle is where the weights to its left end:
 *
 *     units 0 ............................... total      x = units * width / total, in 1/10 pixel
 *     |          root, depth 0                     |
 *     | app                        | bash          |
 *     | main               |///////|                      self of app: its total without its children
 *
 * Positions come from exact 64-bit sums, so adjacent rectangles always meet.
 *
 * Deep, narrow towers are folded, so that only the first level of their narrow part remains.
 *
 *           |                                            | +98 levels, 0.30%
 *     | parse  |         | write  |                | parse  |         | write  |
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

/* The highest levels, which are folded into one. */
struct svg_fold {
	uint32_t level_count; /* including the remaining level; 0 if nothing is folded */
	uint64_t weight;      /* of the frames in the remaining level */
};

struct svg_layout {
	VEC(struct layout_rect) rects; /* parents before children, left to right */
	uint32_t depth_count;          /* rows of rectangles */
	uint32_t dropped_count;        /* stacks too narrow to show */
	struct svg_fold fold;
};

/*
 * Lays out the whole profile over width tenths of a pixel. Omits rectangles narrower than
 * minimum_width, in millionths of a pixel, with their descendants. The limit applies to the exact
 * width, before rounding. Positions are truncated to tenths or, with is_rounded, rounded.
 */
void svg_layout_init(struct svg_layout *layout, const struct profile *profile, uint64_t total,
		     uint32_t width, uint64_t minimum_width, bool is_rounded);

/* Folds the levels in which the visible frames have too small a share of the total. */
void svg_layout_fold(struct svg_layout *layout, const struct profile *profile, uint64_t total);
void svg_layout_deinit(struct svg_layout *layout);

#endif
