/* SPDX-License-Identifier: MIT */
/*
 * The line above the boxes that says what their colours tell:
 *
 *     ## running: user, kernel   ## waiting: user, kernel   # preempted
 */
#ifndef RENDER_SVG_SVG_LEGEND_H
#define RENDER_SVG_SVG_LEGEND_H

#include "render/svg/svg_layout.h"
#include "render/svg/svg.h"

/* Pixels: of the line, and from where its text stands to the boxes. */
#define SVG_LEGEND_HEIGHT 22
#define SVG_LEGEND_TEXT   10

struct svg_legend {
	struct sink *sink;
	uint32_t x, y; /* of what comes next, and of the line the text stands on */
};

struct svg_legend svg_legend_open(uint32_t x, uint32_t y, struct sink *sink);

/* A patch of a colour, or of a pattern: what attribute fill says. */
void svg_legend_swatch(struct svg_legend *legend, const char *fill);

/* What the patches before it tell; more is left out in a narrow window. NULL: there is none. */
void svg_legend_text(struct svg_legend *legend, const char *text, const char *more);
void svg_legend_close(struct svg_legend *legend);

/*
 * Which hues of kiln's own palette the boxes have: a bit each, those that say nothing left out. None
 * where the boxes have colours of other palettes, and where there is no more than one.
 */
uint32_t svg_legend_hues(const struct profile *profile, const struct svg_layout *layout,
			 const struct svg_options *options);

/* The legend of those. */
void svg_legend_write(uint32_t hues, bool shows_waits, uint32_t x, uint32_t y, struct sink *sink);

#endif
