/* SPDX-License-Identifier: MIT */
#include "timeline/tracks.h"

#include <stdlib.h>

#include "base/hash.h"

void tracks_init(struct tracks *tracks)
{
	*tracks = (struct tracks){ .timeless_count = 0 };
	idtable_init(&tracks->row_ids);
	idtable_init(&tracks->stack_ids);
	vec_push(&tracks->stacks, (struct track_stack){ 0, 0 });
}

void tracks_deinit(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->rows.count; i++)
		vec_free(&tracks->rows.at[i].samples);
	vec_free(&tracks->rows);
	vec_free(&tracks->stacks);
	idtable_deinit(&tracks->row_ids);
	idtable_deinit(&tracks->stack_ids);
}

static bool is_same(const struct track *a, const struct track *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu && a->event == b->event &&
	       a->comm_key.i == b->comm_key.i;
}

struct track *tracks_find(struct tracks *tracks, const struct track *key)
{
	uint64_t hash =
		hash_pair((uint64_t)key->pid << 32 | key->tid,
			  hash_pair((uint64_t)key->cpu << 32 | key->event, key->comm_key.i));
	struct idtable_probe probe = idtable_find(&tracks->row_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&tracks->row_ids, &probe)) != IDTABLE_NONE)
		if (is_same(&tracks->rows.at[id], key))
			return &tracks->rows.at[id];
	id = (uint32_t)tracks->rows.count;
	vec_push(&tracks->rows, *key);
	tracks->rows.at[id].number = id;
	idtable_add(&tracks->row_ids, hash, id);
	return &tracks->rows.at[id];
}

static uint32_t find_stack(struct tracks *tracks, uint32_t parent, uint32_t frame)
{
	uint64_t hash = hash_pair(parent, frame);
	struct idtable_probe probe = idtable_find(&tracks->stack_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&tracks->stack_ids, &probe)) != IDTABLE_NONE)
		if (tracks->stacks.at[id].parent == parent && tracks->stacks.at[id].frame == frame)
			return id;
	id = (uint32_t)tracks->stacks.count;
	vec_push(&tracks->stacks, (struct track_stack){ parent, frame });
	idtable_add(&tracks->stack_ids, hash, id);
	return id;
}

uint32_t tracks_stack(struct tracks *tracks, const uint32_t *frames, uint32_t count)
{
	uint32_t stack = 0;

	for (uint32_t i = 0; i < count; i++)
		stack = find_stack(tracks, stack, frames[i]);
	return stack;
}

void track_add(struct track *track, const struct track_sample *sample)
{
	vec_push(&track->samples, *sample);
	track->samples.at[track->samples.count - 1].number = (uint32_t)track->samples.count;
	track->has_durations |= sample->duration_ns > 0;
}

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_tracks(const void *left, const void *right)
{
	const struct track *a = left;
	const struct track *b = right;
	int order = compare_u32(a->pid, b->pid);

	if (!order)
		order = compare_u32(a->tid, b->tid);
	if (!order)
		order = compare_u32(a->cpu, b->cpu);
	if (!order)
		order = compare_u32(a->event, b->event);
	return order ? order : compare_u32(a->number, b->number);
}

static int compare_samples(const void *left, const void *right)
{
	const struct track_sample *a = left;
	const struct track_sample *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return compare_u32(a->number, b->number);
}

/*
 * Samples are visited in time order, but some formats deliver several samples at a time, in any
 * order.
 */
static void sort_samples(struct track *track)
{
	const struct track_sample *at = track->samples.at;
	bool is_sorted = true;

	for (size_t i = 1; i < track->samples.count && is_sorted; i++)
		is_sorted = at[i - 1].time_ns <= at[i].time_ns;
	if (!is_sorted)
		qsort(track->samples.at, track->samples.count, sizeof(*at), compare_samples);
}

void tracks_finish(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->rows.count; i++)
		sort_samples(&tracks->rows.at[i]);
	if (tracks->rows.count)
		qsort(tracks->rows.at, tracks->rows.count, sizeof(*tracks->rows.at),
		      compare_tracks);
	idtable_deinit(&tracks->row_ids);
	idtable_init(&tracks->row_ids);
}

uint64_t track_begin_ns(const struct track *track, size_t sample)
{
	const struct track_sample *at = &track->samples.at[sample];
	uint64_t begin_ns = at->time_ns < at->duration_ns ? 0 : at->time_ns - at->duration_ns;

	return sample && at[-1].time_ns > begin_ns ? at[-1].time_ns : begin_ns;
}

uint32_t tracks_depth(const struct tracks *tracks, uint32_t stack)
{
	uint32_t depth = 0;

	for (; stack; stack = tracks->stacks.at[stack].parent)
		depth++;
	return depth;
}

uint32_t tracks_frames(const struct tracks *tracks, uint32_t stack, uint32_t *ret,
		       uint32_t count_max)
{
	uint32_t count = tracks_depth(tracks, stack);

	for (uint32_t i = count; i--; stack = tracks->stacks.at[stack].parent)
		if (i < count_max)
			ret[i] = tracks->stacks.at[stack].frame;
	return count < count_max ? count : count_max;
}
