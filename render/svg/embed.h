/* SPDX-License-Identifier: MIT */
/*
 * Embeds the profile in the SVG, for the viewer and other readers: all stacks, as compressed JSON.
 *
 *     {"version":2, "event":..., "unit":..., "of":..., "names":[...], "modules":[...],
 *      "frames":[name,module,kind,colour, ...],       four numbers per frame: indexes into the two
 *                                                     lists above, enum frame_kind, 0xrrggbb
 *      "sources":["a.c:7", ...],                      source line of each frame's function, or "" (optional)
 *      "self":0,                                      of the root
 *      "rows":{...}}                                  one row per stack, in preorder: embed_columns.h
 *
 * A row's total is its own self plus the self of all its descendants.
 *
 * If rows were left out, function totals are still complete:
 *
 *      "functions":[self,total, ...]              two numbers per frame, over the whole profile
 *      "together":[name,total, ...]               the joint total of each name that several frames share
 *
 * A comparison has four numbers per frame and three per name: self and total of after, then of
 * before.
 *
 * A flame chart has "gaps":[rows,gap, ...]. `rows` states how many rows after the previous entry's
 * row the entry's row is (the first row is 1). `gap` states how much later the row begins than its
 * left sibling ends. Rows without an entry begin where their sibling ends.
 *
 * If the chart has lanes, "clock":[seconds,nanoseconds,duration] is the beginning of the time axis,
 * and its duration in nanoseconds. The children of the root are lanes. All lanes begin at the
 * beginning of the axis. Gaps are in nanoseconds.
 *
 * Large JSON is compressed in blocks, which do not depend on each other:
 *
 *     {"version":2,"event":"cycles",   ...   "rows":{ ... }}
 *     |      block      |      block      |     block     |
 *     <metadata id="profile" class="deflate">7L0...,1Vu...,rFzd...</metadata>
 *
 * Each block is a deflate stream, in base64.
 *
 * Optional members are "factor", by which displayed weights are multiplied, and "links" by function
 * name: {"main":["https://example.org/", "_top"]}.
 */
#ifndef RENDER_SVG_EMBED_H
#define RENDER_SVG_EMBED_H

#include "render/svg/name_attributes.h"
#include "render/svg/palette.h"
#include "render/svg/svg_weights.h"

/* The additional columns of a comparison. */
struct embed_sides {
	const uint64_t *self[2], *total[2]; /* by row: before and after */
	const uint16_t *colour;     /* by row: index into the list of colours, a part of `words` */
	const uint16_t *confidence; /* by row: confidence that it changed, in thousandths */
	uint16_t colour_left;       /* colour of rows that were left out */
	const char *words;          /* an additional member of the JSON object */
};

struct embed_options {
	const struct svg_weights *weights; /* of the profile */
	const struct embed_sides *sides;   /* NULL if there is a single profile */
	uint64_t limit_bytes;  /* maximum size of the element; the lightest rows are left out */
	unsigned thread_count; /* for compression; 0 means 1 */
	bool is_plain;         /* not compressed, for browsers without DecompressionStream */
	bool shows_homes;      /* write home directories in paths as they are */
	const struct colouring *colouring;
	const struct name_attributes *attributes; /* links to embed; NULL if none */
};

/*
 * Writes the element that holds the profile. A marker frame represents the rows that were left out
 * (embed_rows.h). Writes nothing if not even the heaviest rows fit.
 */
void embed_write(const struct profile *profile, const struct embed_options *options,
		 struct sink *sink);

/*
 * Writes the element with this JSON. Blocks are compressed in parallel. If the element is larger
 * than the limit, the compressed text can be incomplete. Implemented in embed_element.c.
 */
void embed_element_write(const struct embed_options *options, struct text json, struct sink *sink);

#endif
