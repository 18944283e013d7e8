/* SPDX-License-Identifier: MIT */
#include "process/switch_records.h"

#include <stdlib.h>

#include "base/vec.h"

struct recorded_exit {
	uint32_t tid;
	uint64_t time_ns;
};

/* Sorted by tid, then by time. */
struct recorded_exits {
	VEC(struct recorded_exit) rows;
};

static int compare_exits(const void *a, const void *b)
{
	const struct recorded_exit *left = a;
	const struct recorded_exit *right = b;

	if (left->tid != right->tid)
		return left->tid < right->tid ? -1 : 1;
	return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

/* Each CPU has a buffer of its own, so the first exit in the file may not be the earliest. */
static void list_exits(const struct recorded_switch *records, size_t count,
		       struct recorded_exits *ret)
{
	for (size_t i = 0; i < count; i++)
		if (records[i].context_switch.is_exit)
			vec_push(&ret->rows, (struct recorded_exit){ records[i].context_switch.tid,
								     records[i].time_ns });
	if (ret->rows.count)
		qsort(ret->rows.at, ret->rows.count, sizeof(*ret->rows.at), compare_exits);
}

/* Whether a thread with this tid exited at this time or before. */
static bool has_exit(const struct recorded_exits *exits, uint32_t tid, uint64_t time_ns)
{
	size_t low = 0;
	size_t high = exits->rows.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (exits->rows.at[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < exits->rows.count && exits->rows.at[low].tid == tid &&
	       exits->rows.at[low].time_ns <= time_ns;
}

size_t switch_records_drop_other_execs(struct recorded_switch *records, size_t count)
{
	struct recorded_exits exits = { .rows = { .at = NULL } };
	size_t kept = 0;

	list_exits(records, count, &exits);
	for (size_t i = 0; i < count; i++)
		if (!records[i].context_switch.is_exec ||
		    has_exit(&exits, records[i].context_switch.tid, records[i].time_ns))
			records[kept++] = records[i];
	vec_free(&exits.rows);
	return kept;
}
