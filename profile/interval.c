/* SPDX-License-Identifier: MIT */
#include "profile/interval.h"

#include "base/key_sort.h"
#include "base/memory.h"
#include "profile/callchains.h"

/* Most samples are near the previous one, so this many steps are tried before bisecting. */
#define STEPS_MAX 16

static int compare(const void *a, const void *b)
{
	const struct interval *left = a;
	const struct interval *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	if (left->ordinal != right->ordinal)
		return left->ordinal < right->ordinal ? -1 : 1;
	return (left->mark > right->mark) - (left->mark < right->mark);
}

const char *interval_mark_name(enum interval_mark mark)
{
	static const char *const names[INTERVAL_MARK_COUNT] = {
		[INTERVAL_PLAIN] = "[waiting]",
		[INTERVAL_RUN_QUEUE] = "[run queue]",
		[INTERVAL_PREEMPTED] = "[preempted]",
		[INTERVAL_BLOCKED] = "[blocked]",
		[INTERVAL_RUNNING] = "[running]",
		[INTERVAL_UNSAMPLED] = "[running, stack unknown]",
		[INTERVAL_UNTIL_HERE] = "[running until here]",
		[INTERVAL_UNKNOWN] = "[running or waiting, state unknown]",
		[INTERVAL_DISK] = "[disk]",
	};

	return names[mark];
}

/* Sorts the intervals that begin with equal offsets. */
static void sort_equal_offsets(struct intervals *intervals)
{
	struct interval *at = intervals->at;
	size_t end;

	for (size_t begin = 0; begin < intervals->count; begin = end) {
		for (end = begin + 1; end < intervals->count && at[end].offset == at[begin].offset;
		     end++)
			;
		if (end - begin > 1)
			qsort(at + begin, end - begin, sizeof(*at), compare);
	}
}

/* By digits of the offsets: qsort takes several times as long. */
static void sort_by_offset(struct intervals *intervals)
{
	struct key_row *rows = memory_alloc(intervals->count, sizeof(*rows));
	struct interval *sorted = memory_alloc(intervals->count, sizeof(*sorted));

	for (size_t i = 0; i < intervals->count; i++)
		rows[i] = (struct key_row){ intervals->at[i].offset, (uint32_t)i };
	key_sort(rows, intervals->count);
	for (size_t i = 0; i < intervals->count; i++)
		sorted[i] = intervals->at[rows[i].row];
	memory_free(rows);
	memory_free(intervals->at);
	intervals->at = sorted;
	intervals->capacity = intervals->count;
}

void intervals_sort(struct intervals *intervals)
{
	if (intervals->count > UINT32_MAX) {
		qsort(intervals->at, intervals->count, sizeof(*intervals->at), compare);
	} else if (intervals->count) {
		sort_by_offset(intervals);
		sort_equal_offsets(intervals);
	}
}

static bool is_before(const struct interval *interval, const struct sample_position *position)
{
	return interval->offset < position->offset ||
	       (interval->offset == position->offset && interval->ordinal < position->ordinal);
}

/* Returns the first index in [begin, end) whose interval is not before the position. */
static size_t bisect(const struct intervals *intervals, const struct sample_position *position,
		     size_t begin, size_t end)
{
	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (is_before(&intervals->at[middle], position))
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

const struct interval *intervals_find(const struct intervals *intervals,
				      const struct sample_position *position, size_t *cursor,
				      size_t *count_ret)
{
	size_t at = *cursor;
	size_t end;

	if (at && !is_before(&intervals->at[at - 1], position))
		at = bisect(intervals, position, 0, at);
	for (int i = 0; i < STEPS_MAX && at < intervals->count; i++, at++)
		if (!is_before(&intervals->at[at], position))
			break;
	at = bisect(intervals, position, at, intervals->count);
	for (end = at; end < intervals->count; end++)
		if (intervals->at[end].offset != position->offset ||
		    intervals->at[end].ordinal != position->ordinal)
			break;
	*cursor = at;
	*count_ret = end - at;
	return end > at ? &intervals->at[at] : NULL;
}

static void push_marks(const struct interval *interval, uint64_t leaf,
		       struct callchain_buffer *buffer)
{
	if (leaf) {
		vec_push(buffer, CALLCHAIN_DURATION);
		vec_push(buffer, leaf);
	}
	if (interval->waker_count) {
		vec_push(buffer, CALLCHAIN_WAKER);
		vec_push(buffer, interval->waker);
	}
	if (interval->mark != INTERVAL_PLAIN && interval->mark != INTERVAL_RUNNING) {
		vec_push(buffer, CALLCHAIN_MARK);
		vec_push(buffer, interval->mark);
	}
}

const uint64_t *interval_callchain(const struct interval *interval, uint64_t leaf,
				   const struct event_sample *sample, const uint64_t *ips,
				   uint32_t *count, struct callchain_buffer *buffer)
{
	buffer->count = 0;
	push_marks(interval, leaf, buffer);
	if (!buffer->count)
		return ips;
	if (interval->mark == INTERVAL_UNSAMPLED || interval->mark == INTERVAL_UNKNOWN)
		*count = 0;
	/* Addresses without a marker have the sample's CPU mode. */
	if (*count && ips[0] < CALLCHAIN_MARKER_FIRST)
		vec_push(buffer,
			 sample->cpu_mode == CPU_MODE_KERNEL ? CALLCHAIN_KERNEL : CALLCHAIN_USER);
	for (uint32_t i = 0; i < *count; i++)
		vec_push(buffer, ips[i]);
	*count = (uint32_t)buffer->count;
	return buffer->at;
}
