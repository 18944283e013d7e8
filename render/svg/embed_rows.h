/* SPDX-License-Identifier: MIT */
/*
 * Makes the rows of the embedded profile. Rows below a weight limit are left out, and
 * marker frames represent them:
 *
 *     flame graph       one marker per parent, its first child
 *     flame chart       markers keep their position in time:
 *
 *         main  |  a  |b|c|self|  d  |e|            b, c and e are left out
 *         main  |  a  |mark|   |  d  |m|            "gaps" has the self weight before d
 *
 * In a flame chart, left-out siblings share a marker if the gap between them is below the limit.
 * Therefore, there are never more markers than omitted rows, and no marker is displaced by more
 * than the limit.
 */
#ifndef RENDER_SVG_EMBED_ROWS_H
#define RENDER_SVG_EMBED_ROWS_H

#include "base/sink.h"
#include "render/numbering.h"
#include "render/svg/embed.h"
#include "render/svg/embed_columns.h"

struct embed_rows {
	const struct profile *profile;
	const struct embed_sides *sides; /* NULL if there is a single profile */
	uint64_t least;                  /* rows that weigh less are left out */
	struct numbering *frames;        /* the marker frame follows all frames of the profile */
	struct embed_columns columns;
	struct sink gaps; /* output, without the brackets */
};

void embed_rows_init(struct embed_rows *rows);
void embed_rows_deinit(struct embed_rows *rows);

/* Writes all rows and, for a flame chart (profile->begins), the gaps before them. */
void embed_rows_write(struct embed_rows *rows);

#endif
