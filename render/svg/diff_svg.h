/* SPDX-License-Identifier: MIT */
/*
 * Shows two profiles as one flame graph with the stacks of both, so that stacks that are gone are
 * next to new stacks. Frames are coloured by the change of their share, and grey if the change may
 * be noise. The viewer can switch to the widths of either side.
 */
#ifndef RENDER_SVG_DIFF_SVG_H
#define RENDER_SVG_DIFF_SVG_H

#include "diff/diff.h"
#include "render/svg/diff_colour.h"
#include "render/svg/svg.h"

/* The weight that the width of a frame shows. */
enum diff_width {
	DIFF_WIDTH_LARGER, /* the larger of both sides, for each stack */
	DIFF_WIDTH_AFTER,
	DIFF_WIDTH_BEFORE,
	DIFF_WIDTH_COUNT,
};

/* Names of options; NULL-terminated. */
extern const char *const diff_width_names[DIFF_WIDTH_COUNT + 1];
extern const char *const diff_palette_names[DIFF_PALETTE_COUNT + 1];

struct diff_svg_options {
	struct svg_options svg;
	enum diff_width width_by;
	enum diff_palette palette;
	bool is_exclusive; /* colour by self weight */
};

/* The sink keeps the first write error. */
void diff_svg_write(const struct diff *diff, const struct diff_svg_options *options,
		    struct sink *sink);

#endif
