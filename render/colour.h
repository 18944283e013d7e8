/* SPDX-License-Identifier: MIT */
/*
 * What colour a frame's box has. A name has one colour everywhere, so that pictures can be compared
 * by eye; kiln's own palette tells by hue what kind of code it is and by shade which function:
 *
 *     user  orange   kernel  blue   jit  green   inlined  teal   process  grey   unknown  pale grey
 *
 * Labels are black or white, whichever stands out more from the box: at least 4.5 to 1, always.
 */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

#include "profile/profile.h"

#define COLOUR_SHADES 8

struct colour {
	uint8_t red, green, blue;
};

enum palette {
	PALETTE_KILN,
	PALETTE_HOT,
	PALETTE_MEM,
	PALETTE_IO,
	PALETTE_RED,
	PALETTE_GREEN,
	PALETTE_BLUE,
	PALETTE_YELLOW,
	PALETTE_PURPLE,
	PALETTE_AQUA,
	PALETTE_ORANGE,
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_COUNT,
};

/* What users call them; NULL at the end. */
extern const char *const palette_names[PALETTE_COUNT + 1];

struct colour palette_colour(enum palette palette, const struct profile *profile,
			     const struct frame *frame);

/* Whether white text stands out more from the colour than black, by WCAG's contrast ratio. */
bool colour_wants_light_text(struct colour colour);

/*
 * A number from 0 up to below 1 for a name, the same one flamegraph.pl uses: the first value of
 * drand48 seeded with the sum of its bytes.
 */
double colour_value_of_name(struct text name);

#endif
