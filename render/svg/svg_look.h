/* SPDX-License-Identifier: MIT */
/*
 * The measures of a picture: what is how large, and whether it is laid out as kiln does it or, for
 * those who exchange the one for the other, as flamegraph.pl.
 *
 *     kiln                                   flamegraph.pl
 *     | Title           [Reset] [Search] |   | [Reset]      Title      [Search] |
 *     | facts                            |   |             subtitle             |
 *     | boxes                            |   | boxes                            |
 *     | details                 matched  |   | details                 matched  |
 */
#ifndef RENDER_SVG_SVG_LOOK_H
#define RENDER_SVG_SVG_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* Pixels, where nothing else is said. */
struct svg_look {
	const char *font_type; /* of labels; NULL: one whose glyphs are all as wide */
	double font_size;
	double glyph_width;  /* on average, in font sizes */
	uint32_t row_height; /* of a box and what is between it and the next, a pixel */
	uint32_t margin;     /* on both sides of the boxes */
	uint32_t padding;    /* in a box before its label */
	bool is_classic;     /* laid out as flamegraph.pl does it */
};

#define SVG_LOOK                    \
	((struct svg_look){         \
		.font_size = 12,    \
		.glyph_width = 0.6, \
		.row_height = 18,   \
		.margin = 16,       \
		.padding = 4,       \
	})

#define SVG_LOOK_CLASSIC                           \
	((struct svg_look){                        \
		.font_type = "Verdana,sans-serif", \
		.font_size = 12,                   \
		.glyph_width = 0.59,               \
		.row_height = 16,                  \
		.margin = 10,                      \
		.padding = 3,                      \
		.is_classic = true,                \
	})

/* From the upper edge of a box to the line its label stands on. */
static inline double svg_look_baseline(const struct svg_look *look)
{
	return (look->row_height - 1) / 2.0 + (look->is_classic ? 3 : look->font_size / 3);
}

/* What is below the boxes. */
static inline uint32_t svg_look_footer(const struct svg_look *look)
{
	return look->is_classic ? (uint32_t)(look->font_size * 2) + 10 : 44;
}

#endif
