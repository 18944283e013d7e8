/* SPDX-License-Identifier: MIT */
/*
 * Writes the rows of the embedded profile as JSON. Rows below a weight limit are left out, and
 * marker frames represent them:
 *
 *     flame graph       one marker per parent, its first child
 *     flame chart       markers keep their position in time:
 *
 *         main  |  a  |b|c|self|  d  |e|            b, c and e are left out
 *         main  |  a  |mark|   |  d  |m|            "gaps" has the self weight before d
 *
 * In a flame chart, left-out siblings share a marker if the gap between them is below the limit. So
 * there are never more markers than left-out rows, and no marker is displaced by more than the
 * limit.
 */
#ifndef RENDER_SVG_EMBED_ROWS_H
#define RENDER_SVG_EMBED_ROWS_H

#include "base/sink.h"
#include "render/svg/embed.h"
#include "base/memory.h"
#include "base/vec.h"

/* Numbers the rows of a table in the order of first use. */
#define NUMBERING_NONE UINT32_MAX

struct numbering {
	uint32_t *number; /* by index; NUMBERING_NONE: not used yet */
	VEC(uint32_t) order;
};

static inline void numbering_init(struct numbering *numbering, size_t count)
{
	*numbering = (struct numbering){ .number = memory_alloc(count, sizeof(uint32_t)) };
	memset(numbering->number, 0xff, count * sizeof(uint32_t));
}

static inline void numbering_deinit(struct numbering *numbering)
{
	memory_free(numbering->number);
	vec_free(&numbering->order);
}

static inline uint32_t numbering_of(struct numbering *numbering, uint32_t index)
{
	if (numbering->number[index] == NUMBERING_NONE) {
		numbering->number[index] = (uint32_t)numbering->order.count;
		vec_push(&numbering->order, index);
	}
	return numbering->number[index];
}

struct embed_rows {
	const struct profile *profile;
	const struct embed_sides *sides; /* NULL: a single profile */
	uint64_t least;                  /* rows that weigh less are left out */
	struct numbering *frames;        /* the marker frame follows all frames of the profile */
	struct sink rows, gaps;          /* output, without the brackets */
};

void embed_rows_init(struct embed_rows *rows);
void embed_rows_deinit(struct embed_rows *rows);

/* Writes all rows and, for a flame chart (profile->begins), the gaps before them. */
void embed_rows_write(struct embed_rows *rows);

/* The minimum weight that keeps about row_count rows at most; 0: all rows. */
uint64_t embed_rows_minimum(const struct profile *profile, uint64_t row_count);

#endif
