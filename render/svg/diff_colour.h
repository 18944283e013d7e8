/* SPDX-License-Identifier: MIT */
/*
 * What colour a change has, as an index of one list:
 *
 *     gone | less, strongly ... slightly  | no change    | more, slightly ... strongly | new
 *       0              1  2  3  4                5               6  7  8  9               10
 *
 * How strongly is told in percent points of the side after, by steps that are the same in every
 * picture, so that two can be compared by eye.
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
	DIFF_PALETTE_SAFE, /* that people who do not see red and green, or blue, tell apart */
	DIFF_PALETTE_COUNT,
};

/* Of what is new or gone by its total, and else changed as measure says. Where nothing is graded, colours
 * show changes of half a point and more. */
uint8_t diff_colour_index(const struct diff *diff, const struct diff_measure *total,
			  const struct diff_measure *measure);

struct colour diff_colour(enum diff_palette palette, uint8_t index);

/* The hatching in the legend that tells what is new or gone beside its colour, by its id; NULL: none. */
const char *diff_colour_hatching(uint8_t index);

/* A line that says what the colours mean; its text stands at y. The hatchings are in it, too. */
void diff_colour_write_legend(const struct diff *diff, enum diff_palette palette, uint32_t y,
			      struct sink *sink);

/* The colours, those that are hatched and how, and the steps between colours, as members of an object. */
void diff_colour_write_json(enum diff_palette palette, struct sink *sink);

/* The functions that changed, for the viewer, which sums up rows that were not judged: five values each, its
 * name, and of itself and of its total the direction of the change and how many standard deviations a part of
 * it must have changed by: "graded":1,"judged":["f",0,0,1,3.2,...], */
void diff_colour_write_judged(const struct diff *diff, struct sink *sink);

#endif
