/* SPDX-License-Identifier: MIT */
/*
 * Stacks out of the boxes of a flame graph: a box stands on the one that the middle of it is above (in
 * icicles: below), and weighs itself what it weighs without those that stand on it.
 *
 *     <g id="frames">                                      parse  7
 *     <g><title>main (9 samples, 90%)</title>              main   9      app;main       2
 *        <rect x="16" y="482" width="948" .../></g>        app   10      app;main;parse 7
 *
 * Boxes too narrow to be drawn are missing: their weight is that of what they stood on.
 */
#ifndef LIBPARSE_SVG_SVG_RECTANGLES_H
#define LIBPARSE_SVG_SVG_RECTANGLES_H

#include "libparse/svg/spooled.h"
#include "libparse/svg/svg_title.h"
#include "libparse/svg/xml.h"

struct svg_box {
	int64_t x, y, width; /* in ten-thousandths of what the picture measures in */
	uint64_t weight;
	int64_t delta; /* in hundredths of a percent of all, of what it weighs itself */
	uint32_t frame;
	uint32_t parent, child, sibling; /* indexes; UINT32_MAX: none */
};

struct svg_boxes {
	VEC(struct svg_box) boxes;
	bool is_of_kiln; /* weights with decimals are durations */
	bool has_deltas;
	bool has_durations;
	struct text unit; /* of the last box, in unit_bytes */
	char unit_bytes[64];
};

/* Adds the box of a rectangle with this title; one that is no box is passed over. */
void svg_boxes_add(struct svg_boxes *boxes, struct spooled *stacks, struct text title,
		   const struct xml_attribute *attributes, size_t count);

/* Makes rows of the boxes; *orphan_count is how many stood on nothing, or too high. */
void svg_boxes_finish(struct svg_boxes *boxes, struct spooled *stacks, uint64_t *orphan_count);

void svg_boxes_deinit(struct svg_boxes *boxes);

#endif
