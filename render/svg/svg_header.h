/* SPDX-License-Identifier: MIT */
/*
 * What stands above the boxes, and what the file says of itself: the opening tag, the description
 * for those who cannot see the picture, the metadata, title, facts, and what is missing.
 */
#ifndef RENDER_SVG_SVG_HEADER_H
#define RENDER_SVG_SVG_HEADER_H

#include "render/text/caveats.h"
#include "render/svg/svg.h"

struct svg_header {
	const struct profile *profile;
	const struct svg_options *options;
	struct caveats caveats; /* about the profile */
	uint32_t width, total_height;
};

/* Pixels from the top to where the boxes may begin. */
uint32_t svg_header_height(const struct svg_header *header);

/* The XML declaration, <svg>, <title>, <desc> and <metadata>. */
void svg_header_open(const struct svg_header *header, struct sink *sink);

/* Background, title, lines of facts and buttons. */
void svg_header_write(const struct svg_header *header, struct sink *sink);

/* What the picture is called. */
const char *svg_header_title(const struct svg_options *options);

/* A weight of the profile's view, in words: "12.3 s", "1,234 page-faults", "1 sample"; not escaped. */
void svg_header_weight(const struct profile *profile, uint64_t value, struct sink *sink);

/* The number that is shown for a weight: multiplied by the profile's factor, and rounded. */
uint64_t svg_header_scaled(const struct profile *profile, uint64_t value);

/* What svg_header_weight counts in, of many. */
struct text svg_header_unit(const struct profile *profile);

#endif
