/* SPDX-License-Identifier: MIT */
/*
 * A flame graph as one SVG file that needs nothing else: a complete picture where scripts are
 * blocked, and in a browser one that can be zoomed, searched and walked with the keyboard.
 *
 *     +------------------------------------------------+
 *     | title                         [search] [reset] |   header: svg_header.c
 *     | what was measured, how much of it, how long    |
 *     |                 +------+                       |
 *     |   +----+ +------+ read |   +-----+             |   boxes: layout.c, svg_boxes.c
 *     | +-+----+-+-------------+---+-----+-----------+ |
 *     | | all                                        | |
 *     | details of the box under the pointer           |   viewer: assets/viewer.js, viewer.css
 *     +------------------------------------------------+
 */
#ifndef RENDER_SVG_H
#define RENDER_SVG_H

#include "base/sink.h"
#include "profile/profile.h"

/* What is embedded unless the user says otherwise. */
#define EMBED_LIMIT_BYTES (1 << 20)

struct svg_options {
	const char *title;    /* NULL: "Flame Graph" */
	const char *subtitle; /* NULL: none */
	uint64_t width; /* of the picture, in pixels; 0: the window's, 1200 where it is not known */
	double minimum_width;        /* of a box that is drawn, in pixels */
	int palette;                 /* enum palette */
	bool is_inverted;            /* the root is at the top */
	uint64_t embed_limit_bytes;  /* of the profile in the file, for the viewer; 0: none */
	bool is_embedded_plain;      /* rather than packed */
	const struct svg_rows *rows; /* NULL: a picture of one profile */
	const char *command; /* how the picture was made, for its metadata; NULL: not said */
};

void svg_options_init(struct svg_options *options);

/* Writes the picture. Failures latch in the sink. */
void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink);

#endif
