/* SPDX-License-Identifier: MIT */
/*
 * Chooses the colour of a change, as an index into this list:
 *
 *     gone | less, strongly ... slightly  | no change    | more, slightly ... strongly | new
 *       0              1  2  3  4                5               6  7  8  9               10
 *
 * Shades are steps in percentage points of the AFTER side. These steps are the same in every SVG,
 * so that two SVGs can be compared by eye.
 */
#ifndef RENDER_SVG_DIFF_COLOUR_H
#define RENDER_SVG_DIFF_COLOUR_H

#include "diff/diff.h"
#include "render/svg/colour.h"

enum {
	DIFF_COLOUR_GONE = 0,
	DIFF_COLOUR_SAME = 5,
	DIFF_COLOUR_NEW = 10,
	DIFF_COLOUR_COUNT,
};

enum diff_palette {
	DIFF_PALETTE_KILN,
	DIFF_PALETTE_SAFE, /* for colour-blind readers */
	DIFF_PALETTE_COUNT,
};

/*
 * Returns the colour of a row. The row is new or gone if its total is 0 on one side; otherwise, the
 * change of `measure` determines the colour. Without grades, changes of half a point and more are
 * coloured.
 */
uint8_t diff_colour_index(const struct diff *diff, const struct diff_measure *total,
			  const struct diff_measure *measure);

struct colour diff_colour(enum diff_palette palette, uint8_t index);

/* The id of the hatching for new and gone frames, or NULL. */
const char *diff_colour_hatching(uint8_t index);

/* The legend of the colours, with its text at y. The legend also defines the hatchings. */
void diff_colour_write_legend(const struct diff *diff, enum diff_palette palette, uint32_t y,
			      struct sink *sink);

/* The colours, hatchings and steps, as members of a JSON object. */
void diff_colour_write_json(enum diff_palette palette, struct sink *sink);

/*
 * Writes the changed functions for the viewer, because rows that the viewer sums up itself have no
 * verdict. Each function has five values: its name, then for self and for total the direction of
 * the change, and the standard deviations by which a row must change to count as changed:
 * "graded":1,"judged":["f",0,0,1,3.2,...],
 */
void diff_colour_write_judged(const struct diff *diff, struct sink *sink);

#endif
