/* SPDX-License-Identifier: MIT */
/*
 * Numbers the rows of a table in the order of first use, so that an output contains only the rows
 * that it uses:
 *
 *     index     7  3  7  9          names that frames refer to
 *     number    0  1  0  2          order: 7 3 9
 */
#ifndef RENDER_NUMBERING_H
#define RENDER_NUMBERING_H

#include "base/memory.h"
#include "base/vec.h"

#define NUMBERING_NONE UINT32_MAX

struct numbering {
	uint32_t *number; /* by index; NUMBERING_NONE if not used yet */
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

#endif
