/* SPDX-License-Identifier: MIT */
/*
 * Draws marks over a heat map or timeline: a line for each time, a band for each range, and labels
 * where there is room. The caller computes the shapes from its layout. Each mark has a tooltip with
 * its time and label.
 *
 *     |    | deploy  |▒▒▒▒▒ slow requests
 *     |    |         |▒▒▒▒▒
 */
#ifndef RENDER_TIMELINE_MARKS_SVG_H
#define RENDER_TIMELINE_MARKS_SVG_H

#include "base/sink.h"
#include "base/vec.h"
#include "profile/selection/marks.h"

/* Maximum number of marks drawn in an SVG. More marks would make the SVG unreadable and large. */
#define LIMIT_MARKS_DRAWN 2000u

/* The place of a label. */
struct mark_label_box {
	double x, y, width;
};

struct marks_svg {
	struct sink *sink;
	double top, right, bottom; /* where labels end */
	uint32_t count;
	VEC(struct mark_label_box) labels; /* that are drawn */
};

/* Opens a group. The caller must set marks->top, right and bottom first. */
void marks_svg_open(struct marks_svg *marks, struct sink *sink);
void marks_svg_close(struct marks_svg *marks);

/*
 * Writes one mark. path is its shape; x and y are the position of its label. Writes nothing beyond
 * LIMIT_MARKS_DRAWN.
 */
void marks_svg_write(struct marks_svg *marks, const struct placed_mark *mark, struct text path,
		     double x, double y);

#endif
