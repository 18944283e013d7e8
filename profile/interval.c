/* SPDX-License-Identifier: MIT */
#include "profile/interval.h"

#include <string.h>

#include "base/key_sort.h"
#include "base/memory.h"
#include "base/workers.h"
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
	if (left->mark != right->mark)
		return left->mark < right->mark ? -1 : 1;
	return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
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
static void sort_equal_offsets(struct interval *at, size_t count)
{
	size_t end;

	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && at[end].offset == at[begin].offset; end++)
			;
		if (end - begin > 1)
			qsort(at + begin, end - begin, sizeof(*at), compare);
	}
}

/* By digits of the offsets: qsort takes several times as long. */
static void sort_by_offset(struct interval *at, size_t count)
{
	struct key_row *rows = memory_alloc(count, sizeof(*rows));
	struct interval *sorted = memory_alloc(count, sizeof(*sorted));

	for (size_t i = 0; i < count; i++)
		rows[i] = (struct key_row){ at[i].offset, (uint32_t)i };
	key_sort(rows, count);
	for (size_t i = 0; i < count; i++)
		sorted[i] = at[rows[i].row];
	memcpy(at, sorted, count * sizeof(*at));
	memory_free(rows);
	memory_free(sorted);
}

/*
 * Intervals are first divided by offset into pieces, which fit into the CPU's caches and are then
 * sorted independently.
 */
struct interval_sorting {
	struct intervals *const *lists;
	size_t list_count, piece_count;
	uint64_t piece_bytes; /* the range of offsets of a piece */
	/* By list and piece: the number of its intervals, and then the place of the next one. */
	size_t *places;
	size_t *ends; /* by piece */
	struct interval *sorted;
};

#define PIECE_INTERVALS 8192u
#define PIECES_MAX      1024u

static size_t piece_of(const struct interval_sorting *sorting, const struct interval *interval)
{
	uint64_t piece = interval->offset / sorting->piece_bytes;

	return piece < sorting->piece_count ? (size_t)piece : sorting->piece_count - 1;
}

static void count_pieces(void *context, size_t index)
{
	const struct interval_sorting *sorting = context;
	const struct intervals *list = sorting->lists[index];
	size_t *counts = sorting->places + index * sorting->piece_count;

	for (size_t i = 0; i < list->count; i++)
		counts[piece_of(sorting, &list->at[i])]++;
}

static void place_pieces(const struct interval_sorting *sorting)
{
	size_t place = 0;

	for (size_t piece = 0; piece < sorting->piece_count; piece++) {
		for (size_t i = 0; i < sorting->list_count; i++) {
			size_t *at = &sorting->places[i * sorting->piece_count + piece];
			size_t count = *at;

			*at = place;
			place += count;
		}
		sorting->ends[piece] = place;
	}
}

static void scatter(void *context, size_t index)
{
	const struct interval_sorting *sorting = context;
	struct intervals *list = sorting->lists[index];
	size_t *places = sorting->places + index * sorting->piece_count;

	for (size_t i = 0; i < list->count; i++)
		sorting->sorted[places[piece_of(sorting, &list->at[i])]++] = list->at[i];
	vec_free(list);
}

static void sort_piece(void *context, size_t index)
{
	const struct interval_sorting *sorting = context;
	size_t begin = index ? sorting->ends[index - 1] : 0;
	size_t count = sorting->ends[index] - begin;

	if (count > UINT32_MAX) {
		qsort(sorting->sorted + begin, count, sizeof(*sorting->sorted), compare);
	} else if (count > 1) {
		sort_by_offset(sorting->sorted + begin, count);
		sort_equal_offsets(sorting->sorted + begin, count);
	}
}

/* Divides the offsets into equal pieces. */
static void divide_offsets(struct interval_sorting *sorting, size_t interval_count)
{
	uint64_t offset_max = 0;

	for (size_t i = 0; i < sorting->list_count; i++)
		for (size_t k = 0; k < sorting->lists[i]->count; k++)
			if (sorting->lists[i]->at[k].offset > offset_max)
				offset_max = sorting->lists[i]->at[k].offset;
	sorting->piece_count = interval_count / PIECE_INTERVALS + 1;
	if (sorting->piece_count > PIECES_MAX)
		sorting->piece_count = PIECES_MAX;
	sorting->piece_bytes = offset_max / sorting->piece_count;
	if (!sorting->piece_bytes)
		sorting->piece_bytes = 1;
}

void intervals_sort(struct intervals *const *lists, size_t count, unsigned thread_count,
		    struct intervals *ret)
{
	struct interval_sorting sorting = { .lists = lists, .list_count = count };
	size_t all = 0;

	for (size_t i = 0; i < count; i++)
		all += lists[i]->count;
	divide_offsets(&sorting, all);
	sorting.places = memory_zalloc(count * sorting.piece_count, sizeof(*sorting.places));
	sorting.ends = memory_alloc(sorting.piece_count, sizeof(*sorting.ends));
	if (all)
		sorting.sorted = memory_alloc_large(all * sizeof(*sorting.sorted));
	workers_run(thread_count, count, count_pieces, &sorting);
	place_pieces(&sorting);
	workers_run(thread_count, count, scatter, &sorting);
	workers_run(thread_count, sorting.piece_count, sort_piece, &sorting);
	memory_free(sorting.places);
	memory_free(sorting.ends);
	*ret = (struct intervals){ sorting.sorted, all, all };
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
	if (at < intervals->count && is_before(&intervals->at[at], position))
		at = bisect(intervals, position, at + 1, intervals->count);
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
