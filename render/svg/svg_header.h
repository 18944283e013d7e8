/* SPDX-License-Identifier: MIT */
/*
 * Everything before the frames: opening tag, description for screen readers, metadata, title,
 * subtitle, facts about the capture, warnings, buttons.
 */
#ifndef RENDER_SVG_SVG_HEADER_H
#define RENDER_SVG_SVG_HEADER_H

#include "render/text/caveats.h"
#include "render/svg/svg.h"
#include "render/svg/svg_weights.h"

struct svg_header {
	const struct profile *profile;
	const struct svg_weights *weights; /* of the profile */
	const struct svg_options *options;
	struct caveats caveats; /* about the profile */
	uint32_t width, total_height;
};

/* Pixels from the top to where the frames may begin. */
uint32_t svg_header_height(const struct svg_header *header);

/* Writes the XML declaration, <svg>, <title>, <desc> and <metadata>. */
void svg_header_open(const struct svg_header *header, struct sink *sink);

/* Writes background, title, lines of facts and buttons. */
void svg_header_write(const struct svg_header *header, struct sink *sink);

/* Write what the header says about the capture, and what is missing from it; not escaped. */
void svg_header_write_facts(const struct svg_header *header, struct sink *sink);
void svg_header_write_incompleteness(const struct svg_header *header, struct sink *sink);

/* The title of the flame graph. */
const char *svg_header_title(const struct svg_options *options);

#endif
