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
#include "base/memory.h"
#include "base/vec.h"

/* Numbers for the rows of a table, in the order in which they are first used. */
#define NUMBERING_NONE UINT32_MAX

struct numbering {
	uint32_t *number; /* by index of what is numbered; NUMBERING_NONE: it has none yet */
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
	const struct embed_sides *sides; /* NULL: there is one profile */
	uint64_t least;                  /* rows that weigh less are left out */
	struct numbering *frames;        /* the mark comes behind all frames of the profile */
	struct sink rows, gaps;          /* what is written, without the brackets */
};

void embed_rows_init(struct embed_rows *rows);
void embed_rows_deinit(struct embed_rows *rows);

/* Writes all rows; of a flame chart (profile->begins) also the gaps before them. */
void embed_rows_write(struct embed_rows *rows);

/* The least weight a row has to have so that there are at most row_count, about; 0: all of them. */
uint64_t embed_limit_least(const struct profile *profile, uint64_t row_count);

#endif
