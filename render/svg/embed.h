/* SPDX-License-Identifier: MIT */
/*
 * The profile as the viewer reads it, and whoever wants to draw the picture anew: all stacks, also
 * those too narrow for a box of their own, as JSON that is packed and put into the SVG.
 *
 *     {"version":1, "event":..., "unit":..., "of":..., "names":[...], "modules":[...],
 *      "frames":[name,module,kind,colour, ...],       four numbers a frame: two indexes of the
 *                                                     lists above, enum frame_kind, 0xrrggbb
 *      "sources":["a.c:7", ...],                      of each frame's function, or ""; perhaps absent
 *      "self":0,                                      of the root
 *      "rows":[up,frame,self, ...]}                   three numbers a stack, in preorder
 *
 * Where rows were left out, functions are all there:
 *
 *      "functions":[self,total, ...]              two numbers a frame: of all of the profile
 *      "together":[name,total, ...]               of names that several frames have, in all
 *
 * and of two sides four numbers a frame and three a name: self, total of after and then of before.
 *
 * Of a flame chart there is "gaps":[rows,gap, ...]: so many rows on (the first is row 1), there is so much
 * of the parent's own between the row and the one left of it. Without, rows lie side by side.
 *
 * There may be "factor", which weights are multiplied by where they are shown, and "links", where
 * functions lead to, by name: {"main":["https://example.org/", "_top"]}.
 *
 * up says how many levels are left before this row goes one level up from there: 0 for a row that
 * stands on the one before. What a row weighs in all is what it and the rows on it weigh themselves.
 */
#ifndef RENDER_SVG_EMBED_H
#define RENDER_SVG_EMBED_H

#include "render/svg/name_attributes.h"
#include "render/svg/palette.h"

/*
 * Of two profiles in one, what rows have beside their frame: six numbers each, up, frame, after's
 * self, before's self, and two the viewer draws and tells them by.
 */
struct embed_sides {
	const uint64_t *self[2], *total[2]; /* by row: before and after */
	const uint16_t *colour;             /* by row: an index of the list in words */
	const uint16_t *confidence;         /* by row: that it changed, in thousandths */
	uint16_t colour_left;               /* of rows that were left out */
	const char *words;                  /* one more member of the object, as JSON */
};

struct embed_options {
	const struct embed_sides *sides; /* NULL: there is one profile */
	uint64_t limit_bytes; /* of what is written; rows that weigh least are left out */
	bool is_plain;        /* not packed, for browsers that cannot unpack */
	bool shows_homes;     /* paths as they are, with whose home folder they are in */
	const struct colouring *colouring;
	const struct name_attributes *attributes; /* of which links are embedded; NULL: none */
};

/*
 * Writes the element that holds the profile. A frame that says so stands for rows that were left out:
 * embed_rows.h. Nothing is written when even the widest rows do not fit.
 */
void embed_write(const struct profile *profile, const struct embed_options *options,
		 struct sink *sink);

#endif
