/* SPDX-License-Identifier: MIT */
/*
 * A colour, the numbers names are given one by, and whether text on it can be read.
 *
 *     name ─ colour_values ─▶ three numbers from 0 up to below 1 ─ render/svg/palette.h ─▶ colour
 *
 * Labels are black or white, whichever stands out more from the box: at least 4.5 to 1, always.
 */
#ifndef RENDER_SVG_COLOUR_H
#define RENDER_SVG_COLOUR_H

#include "base/strings.h"

struct colour {
	uint8_t red, green, blue;
};

/* Where a name's numbers come from. A name has the same ones everywhere. */
enum colour_source {
	/* As flamegraph.pl has them: the first value of drand48 seeded with the sum of characters. */
	COLOUR_BY_NAME,
	/* As flamegraph.pl --hash: the first characters count, so that names alike look alike. */
	COLOUR_BY_HASH,
	/* As inferno --deterministic: FNV-1a of the bytes. */
	COLOUR_BY_FNV,
	/* Any: names alike look no more alike than others. */
	COLOUR_BY_CHANCE,
};

struct colour_values {
	double at[3];
};

struct colour_values colour_values_of(enum colour_source source, struct text name);

/* Whether white text stands out more from the colour than black, by WCAG's contrast ratio. */
bool colour_wants_light_text(struct colour colour);

/* "#rgb", "#rrggbb" or "rgb(1,2,3)". False: it is none of these. */
bool colour_parse(struct text text, struct colour *ret) WARN_UNUSED;

static inline uint32_t colour_rgb(struct colour colour)
{
	return (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 | colour.blue;
}

static inline struct colour colour_of_rgb(uint32_t rgb)
{
	return (struct colour){ (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb };
}

#endif
