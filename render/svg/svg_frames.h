/* SPDX-License-Identifier: MIT */
/*
 * Writes the frames of an SVG flame graph. Each frame is a group with a title, in the form that
 * flamegraph.pl writes and other tools read. Except in flamegraph.pl's layout, frames narrower than
 * a pixel have no title, and those of the same colour share a path. If a file with a viewer has
 * very many frames, its narrowest frames are also written in this form.
 *
 *     <g><title>main (12.3 s, 45.60%)</title><rect x= y= width= height= fill=/><text>main</text></g>
 *     <path fill="#f8a070" d="M20.1 340h.3v17h-.3zM21 340h.1v17h-.1z"/>
 *
 * The row of folded levels (svg_layout.h) is one path and a text. This row has no titles, so
 * readers count its weight as self weight of the frames below it.
 */
#ifndef RENDER_SVG_SVG_FRAMES_H
#define RENDER_SVG_SVG_FRAMES_H

#include "render/svg/svg_layout.h"
#include "render/svg/svg.h"
#include "render/svg/svg_weights.h"

/* Layout units per pixel: positions are in tenths of a pixel. */
#define SVG_TENTHS 10

/* A line below the title. */
struct svg_line {
	const char *text;
	const char *tooltip; /* NULL if none */
	bool is_warning;
};

/*
 * The parts that a differential flame graph replaces. Callbacks get the context and the row of the
 * stack.
 */
struct svg_overrides {
	const void *context;
	struct colour (*colour)(const void *context, uint32_t row);
	/*
	 * Returns the id of the pattern that fills a rectangle wider than a pixel. Can be NULL, and
	 * can return NULL.
	 */
	const char *(*hatching)(const void *context, uint32_t row);
	/* Writes the tooltip after the name, unescaped. */
	void (*write_words)(const void *context, uint32_t row, struct sink *sink);
	/* Writes the legend above the frames, with its text baseline at y. */
	void (*write_legend)(const void *context, uint32_t y, struct sink *sink);
	const char *headline; /* one sentence below the title; NULL if none */
	/* The lines below the title. If there are none, the lines of the profile are used. */
	const struct svg_line *lines;
	size_t line_count;
	/*
	 * Writes the hottest functions for the description, unescaped. NULL means the functions of
	 * the profile.
	 */
	void (*write_hottest)(const void *context, struct sink *sink);
	const struct profile *embedded;
	const struct embed_sides *sides;
};

struct svg_frames {
	const struct profile *profile;
	const struct svg_weights *weights; /* of the profile */
	const struct svg_layout *layout;
	const struct svg_options *options;
	uint32_t top;   /* of the highest row */
	uint32_t width; /* of the root, in pixels */
};

/* The colour of the root frame. */
struct colour svg_frames_root_colour(const struct profile *profile,
				     const struct svg_options *options);

void svg_frames_write(const struct svg_frames *frames, struct sink *sink);

#endif
