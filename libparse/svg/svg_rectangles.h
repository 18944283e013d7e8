/* SPDX-License-Identifier: MIT */
/*
 * Reconstructs stacks from the rectangles of a flame graph. The parent of a rectangle is the
 * rectangle below its midpoint. In an icicle graph, the parent is above the midpoint. The self
 * weight of a rectangle is its weight minus the weights of its children.
 *
 *     <g id="frames">                                      parse  7
 *     <g><title>main (9 samples, 90%)</title>              main   9      app;main       2
 *        <rect x="16" y="482" width="948" .../></g>        app   10      app;main;parse 7
 *
 * Frames that were too narrow to draw are missing; their weight is in the self weight of their
 * parents.
 */
#ifndef LIBPARSE_SVG_SVG_RECTANGLES_H
#define LIBPARSE_SVG_SVG_RECTANGLES_H

#include "libparse/spooled.h"
#include "libparse/svg/xml.h"

struct svg_rectangle {
	int64_t x, y, width; /* position and size in ten-thousandths of the SVG's unit */
	uint64_t weight;
	int64_t delta; /* change of the self weight, in hundredths of a percent of the total */
	uint32_t frame;
	uint32_t parent, child, sibling; /* indexes; UINT32_MAX if none */
};

struct svg_rectangles {
	VEC(struct svg_rectangle) rectangles;
	bool is_of_kiln; /* written by kiln, so titles may contain durations and modules */
	bool has_deltas;
	bool has_durations;
	struct text unit; /* unit of the last rectangle; points to unit_bytes */
	char unit_bytes[64];
};

/* Adds a rectangle with this title if it is a frame. */
void svg_rectangles_add(struct svg_rectangles *rects, struct spooled *stacks, struct text title,
			const struct xml_attribute *attributes, size_t count);

/*
 * Converts the rectangles to rows. *orphan_count becomes the number of rectangles that have no
 * parent or are too deep.
 */
void svg_rectangles_finish(struct svg_rectangles *rects, struct spooled *stacks,
			   uint64_t *orphan_count);

void svg_rectangles_deinit(struct svg_rectangles *rects);

/* The title of a rectangle, which browsers show as a tooltip.
 *
 *     parse_array (28,028 samples, 2.22%)             flamegraph.pl, inferno and kiln
 *     parse_array (28,028 samples, 2.22%; +1.05%)     in a comparison: with the change
 *     parse_array (28.03 ms, 2.22%)                   kiln: with a duration
 */
struct svg_title {
	struct text name;
	struct text unit; /* the unit after the count; may be empty */
	uint64_t count;   /* the count in thousandths of the unit */
	int64_t delta;    /* the change in hundredths of a percent */
	bool has_count, has_delta;
};

/* Parses the first line of a title. Without a count, the whole line is the name. */
struct svg_title svg_title_parse(struct text title);

#endif
