/* SPDX-License-Identifier: MIT */
/*
 * An interval begins at a sample and has a duration, for example an off-CPU time, which is the
 * weight of the sample. One pass in time order finds the intervals (offcpu/). The next pass reads
 * samples in input order, and looks up the intervals of each sample. The samples of one compressed
 * record share an offset, and are distinguished by an ordinal:
 *
 *     offset    4096            4220     8192
 *     ordinal   0   1   2       0        0
 *     ns        700 -   12+80   31       -        80 of the 92 on the run queue
 */
#ifndef PROFILE_INTERVAL_H
#define PROFILE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "libparse/callchain.h"
#include "libparse/event.h"
#include "profile/branch_callchain.h"

/*
 * The state of the thread during an interval. All except PLAIN and RUNNING add a frame on top of
 * the stack.
 */
enum interval_mark {
	INTERVAL_PLAIN,      /* blocked, if no other intervals are shown; or a --span */
	INTERVAL_RUN_QUEUE,  /* runnable, waiting for a CPU */
	INTERVAL_PREEMPTED,  /* switched out while runnable */
	INTERVAL_BLOCKED,    /* blocked, if other intervals are also shown */
	INTERVAL_RUNNING,    /* on a CPU; this time is divided among the thread's samples */
	INTERVAL_UNSAMPLED,  /* on a CPU, but the thread has no samples */
	INTERVAL_UNTIL_HERE, /* on a CPU until this stack; the run has no samples */
	INTERVAL_UNKNOWN,    /* on a CPU or blocked, unknown because switches are missing */
	INTERVAL_DISK,       /* blocked while a disk worked on a request */
	INTERVAL_MARK_COUNT,
};

struct interval {
	uint64_t offset; /* input offset of the sample that begins the interval */
	uint64_t begin_ns;
	uint64_t duration_ns; /* only the part that counts: inside windows, or all of it */
	uint32_t ordinal;     /* number of that sample among the samples at this offset */
	uint8_t mark;         /* enum interval_mark */
	char state;           /* of the thread at the start, as a letter of ps */
	uint16_t waker_count; /* number of wakers that led to its end; 0 if not requested */
	uint32_t waker;       /* the last waker: first a wake, later a link (offcpu/wakers.h) */
};

struct intervals {
	struct interval *at;
	size_t count, capacity;
};

/*
 * An interval that is shown individually: the longest of its stack, or one of the longest of all.
 * Such an interval has its own leaf frame, "@INTERVAL". All other intervals share the leaf frame of
 * their rounded duration.
 */
struct single_interval {
	uint32_t interval; /* index of the interval */
	uint32_t pid, tid, cpu;
	str_id comm;
	char state;
	uint64_t begin_ns, duration_ns; /* exact */
};

/*
 * In a callchain, the leaf of such an interval is this value plus the interval's index. The value
 * is 146 years in nanoseconds, longer than any duration.
 */
#define INTERVAL_SINGLE ((uint64_t)1 << 62)

/*
 * Rounds a duration, to reduce the number of distinct stacks. The error is at most one part in
 * 8192.
 */
static inline uint64_t interval_round_ns(uint64_t duration_ns)
{
	unsigned shift = duration_ns >> 13 ? 51 - (unsigned)__builtin_clzll(duration_ns) : 0;

	return shift ? (duration_ns >> shift << shift) + ((uint64_t)1 << (shift - 1)) : duration_ns;
}

/* Returns the name of the frame that a mark adds. */
const char *interval_mark_name(enum interval_mark mark);

/*
 * Joins lists of intervals, and sorts them by the position of their samples. The lists are moved to
 * *ret, which may be one of them.
 */
void intervals_sort(struct intervals *const *lists, size_t count, unsigned thread_count,
		    struct intervals *ret);

/* Identifies a sample while the samples of an input are read in order. */
struct sample_position {
	uint64_t offset;
	uint32_t ordinal;
	bool has_any; /* false if there is no sample */
};

/* Advances to the next sample, which is at this offset. */
static inline void sample_position_next(struct sample_position *position, uint64_t offset)
{
	bool is_same_offset = position->has_any && position->offset == offset;

	position->ordinal = is_same_offset ? position->ordinal + 1 : 0;
	position->offset = offset;
	position->has_any = true;
}

/*
 * Finds the intervals that begin with a sample. Returns the first and sets *count_ret, or returns
 * NULL. *cursor belongs to the caller, starts at 0, and makes lookups in ascending order fast.
 */
const struct interval *intervals_find(const struct intervals *intervals,
				      const struct sample_position *position, size_t *cursor,
				      size_t *count_ret);

/*
 * Prepends the leaf, mark and wakers of an interval to the callchain of its sample, as innermost
 * entries. The leaf is a duration, or INTERVAL_SINGLE and an index; 0 if none.
 *
 *     DURATION 12345 | MARK run queue | KERNEL k1 k2 USER u1
 *
 * Returns ips or buffer->at. *count is the number of entries in ips before the call, and in the
 * result after it.
 */
const uint64_t *interval_callchain(const struct interval *interval, uint64_t leaf,
				   const struct event_sample *sample, const uint64_t *ips,
				   uint32_t *count, struct callchain_buffer *buffer);

#endif
