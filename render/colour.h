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

#include "base/error.h"
#include "profile/profile.h"

#define COLOUR_SHADES 8

struct colour {
	uint8_t red, green, blue;
};

struct palette;

/* The palette of a name, or NULL with an error that lists those there are. NULL: the default. */
const struct palette *palette_find(const char *name, struct error *err);

struct colour palette_colour(const struct palette *palette, const struct profile *profile,
			     const struct frame *frame);

/* Whether white text stands out more from the colour than black, by WCAG's contrast ratio. */
bool colour_wants_light_text(struct colour colour);

/*
 * A number from 0 up to below 1 for a name, the same one flamegraph.pl uses: the first value of
 * drand48 seeded with the sum of its bytes.
 */
double colour_value_of_name(struct text name);

#endif
