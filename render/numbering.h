/* SPDX-License-Identifier: MIT */
/* A list whose rows get numbers in the order they are first asked for. */
#ifndef RENDER_NUMBERING_H
#define RENDER_NUMBERING_H

#include "base/memory.h"
#include "base/vec.h"

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

#endif
