/* SPDX-License-Identifier: MIT */
/* What stands above the boxes where a picture is laid out as flamegraph.pl does it: svg_look.h. */
#ifndef RENDER_SVG_SVG_CLASSIC_H
#define RENDER_SVG_SVG_CLASSIC_H

#include "render/svg/svg.h"

/* Pixels from the top to where the boxes may begin. */
uint32_t svg_classic_header_height(const struct svg_options *options);

/* Title, subtitle and buttons. */
void svg_classic_write_header(const struct svg_options *options, uint32_t width, struct sink *sink);

/* The picture of nothing: what is wrong, on a canvas of its own. */
void svg_classic_write_error(const struct svg_options *options, const char *text,
			     struct sink *sink);

#endif
