/* SPDX-License-Identifier: MIT */
/*
 * The rows of an embedded profile, as JSON, without those that weigh less than a limit. A frame of
 * its own, the mark, stands for what was left out:
 *
 *     flame graph       all children of one parent that were left out are one mark, the first child
 *     flame chart       each mark is where they were in time:
 *
 *         main  |  a  |b|c|self|  d  |e|            b, c and e are left out
 *         main  |  a  |mark|   |  d  |m|            "gaps" has the self weight before d
 *
 * In a chart, left-out siblings become one mark where the gaps between them come to less than the
 * limit: so marks do not outnumber what they stand for, and none is further off than the limit.
 */
#ifndef RENDER_SVG_EMBED_ROWS_H
#define RENDER_SVG_EMBED_ROWS_H

#include "base/sink.h"
#include "render/svg/embed.h"
#include "render/numbering.h"

struct embed_rows {
	const struct profile *profile;
	const struct embed_sides *sides; /* NULL: there is one profile */
	uint64_t least;                  /* rows that weigh less are left out */
	struct numbering *frames;        /* the mark comes behind all frames of the profile */
	struct sink rows, gaps;          /* what is written, without the brackets */
};

void embed_rows_init(struct embed_rows *rows);
void embed_rows_deinit(struct embed_rows *rows);

/* Writes all rows; of a flame chart (profile->begins) also the gaps before them. */
void embed_rows_write(struct embed_rows *rows);

#endif
