/* SPDX-License-Identifier: MIT */
/*
 * Writes everything before the frames: the opening tag, a description for screen readers, metadata,
 * and the head:
 *
 *     Title                                         [Search] [?]
 *     headline                a sentence about the profile
 *     subtitle
 *     facts                   event, samples, duration
 *     origin                  capture, date, commands
 *     Incomplete: ...         losses
 *     ## user  ## kernel      svg_legend.h
 *
 * The viewer keeps the head in sight if the window has room for it.
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
	struct text headline;   /* empty: none */
	struct text origin;     /* empty: none */
	uint32_t dropped_count; /* frames too narrow to show */
	uint32_t width, total_height;
};

/* The minimum distance of the frames from the top, in pixels. */
uint32_t svg_header_height(const struct svg_header *header);

/* Writes the XML declaration, <svg>, <title>, <desc> and <metadata>. */
void svg_header_open(const struct svg_header *header, struct sink *sink);

/* Writes the background and the buttons; in flamegraph.pl's layout, also the title. */
void svg_header_write(const struct svg_header *header, struct sink *sink);

/* These functions write the facts about the capture, and its missing parts, unescaped. */
void svg_header_write_facts(const struct svg_header *header, struct sink *sink);
void svg_header_write_incompleteness(const struct svg_header *header, struct sink *sink);

/*
 * Writes the name of the capture, its date, the command that made the SVG, and the command that
 * recorded the capture, all unescaped:
 *
 *     stall.data · 2026-11-22 14:53 UTC · kiln offcpu stall.data · recorded by perf record -a
 */
void svg_header_write_origin(const struct profile *profile, const struct svg_options *options,
			     struct sink *sink);

/*
 * Writes the lines of the head. flamegraph.pl's layout and parts of a page do not have these lines.
 */
void svg_header_write_lines(const struct svg_header *header, struct sink *sink);

/* The title of the flame graph. */
const char *svg_header_title(const struct svg_options *options);

#endif
