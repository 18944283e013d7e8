/* SPDX-License-Identifier: MIT */
/*
 * The boxes of a flame graph's SVG. Each is a group that says what it is, as flamegraph.pl writes
 * it and other tools read it; those under a pixel, which nobody can point at, are nothing but
 * their outlines, one path for all of a colour:
 *
 *     <g><title>main (12.3 s, 45.60%)</title><rect x= y= width= height= fill=/><text>main</text></g>
 *     <path fill="#f8a070" d="M20.1 340h.3v17h-.3zM21 340h.1v17h-.1z"/>
 */
#ifndef RENDER_SVG_BOXES_H
#define RENDER_SVG_BOXES_H

#include "render/colour.h"
#include "render/layout.h"

/* Pixels; layout's tenths of them are what positions are counted in. */
#define SVG_MARGIN     16
#define SVG_ROW_HEIGHT 18
#define SVG_TENTHS     10

/* What boxes are of another picture than that of one profile: by row, in its own words. */
struct svg_rows {
	const void *context;
	struct colour (*colour)(const void *context, uint32_t row);
	/* What is said behind the name; not escaped. */
	void (*write_words)(const void *context, uint32_t row, struct sink *sink);
	/* A line above the boxes, whose text stands at y. */
	void (*write_legend)(const void *context, uint32_t y, struct sink *sink);
	const char *facts; /* the line below the title */
	const struct profile *embedded;
	const struct embed_sides *sides;
};

struct svg_boxes {
	const struct profile *profile;
	const struct layout *layout;
	enum palette palette;
	const struct svg_rows *rows; /* NULL: of the profile alone */
	bool is_inverted;            /* the root is at the top */
	uint32_t top;                /* of the highest row */
};

void svg_boxes_write(const struct svg_boxes *boxes, struct sink *sink);

#endif
