/* SPDX-License-Identifier: MIT */
/*
 * The legend above the frames:
 *
 *     ## running: user code, kernel   ## blocked: user code, kernel   # preempted
 */
#ifndef RENDER_SVG_SVG_LEGEND_H
#define RENDER_SVG_SVG_LEGEND_H

#include "render/svg/svg_layout.h"
#include "render/svg/svg.h"

/* The height of the legend, and the distance from its baseline to the frames, in pixels. */
#define SVG_LEGEND_HEIGHT 22
#define SVG_LEGEND_TEXT   10

struct svg_legend {
	struct sink *sink;
	uint32_t x, y; /* position of the next entry, and the baseline */
};

struct svg_legend svg_legend_open(uint32_t x, uint32_t y, struct sink *sink);

/* Writes a swatch. fill: the value of the fill attribute. */
void svg_legend_swatch(struct svg_legend *legend, const char *fill);

/*
 * Writes the label of the preceding swatches. more: an additional part that narrow windows hide;
 * may be NULL.
 */
void svg_legend_text(struct svg_legend *legend, const char *text, const char *more);
void svg_legend_close(struct svg_legend *legend);

/*
 * Returns a bit mask of the hues of kiln's own palette that are used, except those of groups and
 * markers. Returns 0 for other palettes, or if there is only one hue.
 */
uint32_t svg_legend_hues(const struct profile *profile, const struct svg_layout *layout,
			 const struct svg_options *options);

/* Writes the legend for these hues. */
void svg_legend_write(uint32_t hues, bool shows_waits, uint32_t x, uint32_t y, struct sink *sink);

#endif
