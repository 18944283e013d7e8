/* SPDX-License-Identifier: MIT */
#include "offcpu/interval.h"

/* Steps to try before bisecting: most samples are not far from the last. */
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

void intervals_sort(struct intervals *intervals)
{
	if (intervals->count > 1)
		qsort(intervals->at, intervals->count, sizeof(*intervals->at), compare);
}

static bool is_before(const struct interval *interval, const struct sample_place *place)
{
	return interval->offset < place->offset ||
	       (interval->offset == place->offset && interval->ordinal < place->ordinal);
}

/* The first that is not before the place, in [begin, end). */
static size_t bisect(const struct intervals *intervals, const struct sample_place *place,
		     size_t begin, size_t end)
{
	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (is_before(&intervals->at[middle], place))
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

const struct interval *intervals_find(const struct intervals *intervals,
				      const struct sample_place *place, size_t *cursor,
				      size_t *count_ret)
{
	size_t at = *cursor;
	size_t end;

	if (at && !is_before(&intervals->at[at - 1], place))
		at = bisect(intervals, place, 0, at);
	for (int i = 0; i < STEPS_MAX && at < intervals->count; i++, at++)
		if (!is_before(&intervals->at[at], place))
			break;
	at = bisect(intervals, place, at, intervals->count);
	for (end = at; end < intervals->count; end++)
		if (intervals->at[end].offset != place->offset ||
		    intervals->at[end].ordinal != place->ordinal)
			break;
	*cursor = at;
	*count_ret = end - at;
	return end > at ? &intervals->at[at] : NULL;
}
