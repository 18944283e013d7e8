/* SPDX-License-Identifier: MIT */
/*
 * How long what began with a sample took: what the sample then weighs. Intervals are found in a pass
 * of their own, in the order of time, and looked up in the next by who reads the samples in the order
 * of the input. Several samples may have one place, that of the compressed record they are in, so the
 * how-manieth it is there is part of its name:
 *
 *     offset    4096            4220     8192
 *     ordinal   0   1   2       0        0
 *     ns        700 -   12+80   31       -        80 of the 92 on the run queue
 */
#ifndef OFFCPU_INTERVAL_H
#define OFFCPU_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* What an interval's stack ends in, when it is no time the thread waited for something. */
enum interval_mark {
	INTERVAL_PLAIN,
	INTERVAL_RUN_QUEUE, /* could run again, and waited for a processor */
	INTERVAL_PREEMPTED, /* could have gone on */
	INTERVAL_BLOCKED, /* waited for something, where that is not the only time that is shown */
	INTERVAL_RUNNING, /* ran: a share of its thread's time, which its samples divide */
	INTERVAL_UNSAMPLED, /* ran, and nothing tells where */
	INTERVAL_UNKNOWN,   /* ran or waited, and nothing tells which */
	INTERVAL_MARK_COUNT,
};

struct interval {
	uint64_t offset; /* of the sample it began with, in the input */
	uint64_t length_ns;
	uint32_t ordinal;     /* of that sample, among those at this offset */
	uint16_t mark;        /* enum interval_mark */
	uint16_t waker_count; /* who led to its end; only where that is asked for */
	uint32_t waker;       /* the last of them: a wake of offcpu/wakers.h, then a link */
};

struct intervals {
	struct interval *at;
	size_t count, capacity;
};

/* The lengths that are told apart: a length is not off by more than one part in 8192. */
static inline uint64_t interval_rounded(uint64_t length_ns)
{
	unsigned shift = length_ns >> 13 ? 51 - (unsigned)__builtin_clzll(length_ns) : 0;

	return shift ? (length_ns >> shift << shift) + ((uint64_t)1 << (shift - 1)) : length_ns;
}

/* Puts them in the order in which samples are read. */
void intervals_sort(struct intervals *intervals);

/* Tells the samples apart that are read one after another from one place. */
struct sample_place {
	uint64_t offset;
	uint32_t ordinal;
	bool has_any;
};

/* Goes on to a sample at this offset. */
static inline void sample_place_next(struct sample_place *place, uint64_t offset)
{
	place->ordinal = place->has_any && place->offset == offset ? place->ordinal + 1 : 0;
	place->offset = offset;
	place->has_any = true;
}

/*
 * The intervals that began with the sample at this place: the first, and how many; NULL: none. *cursor is the
 * caller's, 0 at first; it makes lookups fast whose places ascend.
 */
const struct interval *intervals_find(const struct intervals *intervals,
				      const struct sample_place *place, size_t *cursor,
				      size_t *count_ret);

#endif
