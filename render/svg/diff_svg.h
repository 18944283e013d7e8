/* SPDX-License-Identifier: MIT */
/*
 * Two profiles as one flame graph: all stacks of both, so that what is gone is seen beside what is
 * new. A box is coloured by how its share changed, and grey where that may be noise.
 *
 * The picture is render/svg/svg.h's; the viewer draws it anew by either side's widths.
 */
#ifndef RENDER_SVG_DIFF_SVG_H
#define RENDER_SVG_DIFF_SVG_H

#include "diff/diff.h"
#include "render/svg/diff_colour.h"
#include "render/svg/svg.h"

/* What a box is as wide as. */
enum diff_width {
	DIFF_WIDTH_LARGER, /* of both sides, for each stack */
	DIFF_WIDTH_AFTER,
	DIFF_WIDTH_BEFORE,
	DIFF_WIDTH_COUNT,
};

/* What users call them; NULL at the end. */
extern const char *const diff_width_names[DIFF_WIDTH_COUNT + 1];
extern const char *const diff_palette_names[DIFF_PALETTE_COUNT + 1];

struct diff_svg_options {
	struct svg_options svg;
	enum diff_width width_by;
	enum diff_palette palette;
	bool is_exclusive; /* coloured by what functions do themselves */
};

/* Writes the picture. Failures latch in the sink. */
void diff_svg_write(const struct diff *diff, const struct diff_svg_options *options,
		    struct sink *sink);

#endif
