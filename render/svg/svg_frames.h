/* SPDX-License-Identifier: MIT */
/*
 * The boxes of a flame graph's SVG. Each is a group that says what it is, as flamegraph.pl writes
 * it and other tools read it; those under a pixel, which nobody can point at, are nothing but
 * their outlines, one path for all of a colour:
 *
 *     <g><title>main (12.3 s, 45.60%)</title><rect x= y= width= height= fill=/><text>main</text></g>
 *     <path fill="#f8a070" d="M20.1 340h.3v17h-.3zM21 340h.1v17h-.1z"/>
 */
#ifndef RENDER_SVG_SVG_FRAMES_H
#define RENDER_SVG_SVG_FRAMES_H

#include "render/svg/svg_layout.h"
#include "render/svg/svg.h"

/* Of a pixel; layout counts positions in them. */
#define SVG_TENTHS 10

/* A line below the title. */
struct svg_line {
	const char *text;
	const char *tooltip; /* NULL: none */
	bool is_warning;
};

/* What boxes are of another picture than that of one profile: by row, in its own words. */
struct svg_overrides {
	const void *context;
	struct colour (*colour)(const void *context, uint32_t row);
	/* The id of a pattern that fills a box more than a pixel wide; NULL, as is the whole: none. */
	const char *(*hatching)(const void *context, uint32_t row);
	/* What is said behind the name; not escaped. */
	void (*write_words)(const void *context, uint32_t row, struct sink *sink);
	/* A line above the boxes, whose text stands at y. */
	void (*write_legend)(const void *context, uint32_t y, struct sink *sink);
	const char *headline; /* the lines below the title, one sentence; NULL: there is none */
	/* The lines below the title; none: the facts of the profile. */
	const struct svg_line *lines;
	size_t line_count;
	/* The hottest functions, behind the facts in the description; not escaped. NULL: the profile's. */
	void (*write_hottest)(const void *context, struct sink *sink);
	const struct profile *embedded;
	const struct embed_sides *sides;
};

struct svg_frames {
	const struct profile *profile;
	const struct svg_layout *layout;
	const struct svg_options *options;
	uint32_t top;   /* of the highest row */
	uint32_t width; /* of the root, in pixels */
};

/* The root's colour. */
struct colour svg_frames_root_colour(const struct profile *profile,
				     const struct svg_options *options);

/* The share of a weight, of which the number that is shown counts, as flamegraph.pl computes it. */
double svg_frames_classic_percent(const struct profile *profile, uint64_t value);

void svg_frames_write(const struct svg_frames *frames, struct sink *sink);

#endif
