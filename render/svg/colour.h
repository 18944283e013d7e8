/* SPDX-License-Identifier: MIT */
/*
 * Colours: parsing, the three numbers derived from a function name, and the contrast of labels.
 *
 *     name ─ colour_values ─▶ three numbers in [0, 1) ─ render/svg/palette.h ─▶ colour
 *
 * Labels are black or white, whichever has more contrast. The contrast is always at least 4.5 to 1.
 */
#ifndef RENDER_SVG_COLOUR_H
#define RENDER_SVG_COLOUR_H

#include "base/strings.h"

struct colour {
	uint8_t red, green, blue;
};

/* How the three numbers are derived. Equal names always have equal numbers. */
enum colour_source {
	/*
	 * As in flamegraph.pl: the first value of drand48, seeded with the sum of the characters.
	 */
	COLOUR_BY_NAME,
	/*
	 * As in flamegraph.pl --hash: from the first characters, so similar names have similar
	 * colours.
	 */
	COLOUR_BY_HASH,
	/* As in inferno --deterministic: FNV-1a of the bytes. */
	COLOUR_BY_FNV,
	/* From a mixed hash: similar names have unrelated colours. */
	COLOUR_BY_CHANCE,
};

struct colour_values {
	double at[3];
};

struct colour_values colour_values_of(enum colour_source source, struct text name);

/* Whether white text has more contrast on the colour than black text (WCAG contrast ratio). */
bool colour_wants_light_text(struct colour colour);

/* Parses "#rgb", "#rrggbb" or "rgb(1,2,3)". Returns false for anything else. */
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
