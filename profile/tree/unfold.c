/* SPDX-License-Identifier: MIT */
#include "profile/tree/unfold.h"

#include <stdbool.h>

#include "base/hash.h"
#include "base/arithmetic.h"

void distinct_stacks_init(struct distinct_stacks *stacks)
{
	*stacks = (struct distinct_stacks){ 0 };
	arena_init(&stacks->arena);
	idtable_init(&stacks->ids);
}

void distinct_stacks_deinit(struct distinct_stacks *stacks)
{
	arena_deinit(&stacks->arena);
	idtable_deinit(&stacks->ids);
	vec_free(&stacks->rows);
	vec_free(&stacks->pending_frames);
}

static bool are_same(const struct sorted_stack *a, const struct sorted_stack *b)
{
	return a->count == b->count && a->time_bin == b->time_bin && a->cpu == b->cpu &&
	       (!a->count || memcmp(a->frames, b->frames, a->count * sizeof(*a->frames)) == 0);
}

static void add(struct distinct_stacks *stacks, const struct sorted_stack *stack, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&stacks->ids, hash);
	size_t size_bytes = stack->count * sizeof(*stack->frames);
	struct sorted_stack copy = *stack;
	uint32_t *frames;
	uint32_t id;

	while ((id = idtable_next(&stacks->ids, &probe)) != IDTABLE_NONE) {
		struct sorted_stack *row = &stacks->rows.at[id];

		if (are_same(row, stack)) {
			row->sample_count = saturate_add(row->sample_count, stack->sample_count);
			row->weight = saturate_add(row->weight, stack->weight);
			return;
		}
	}
	frames = arena_alloc(&stacks->arena, size_bytes, _Alignof(uint32_t));
	if (size_bytes)
		memcpy(frames, stack->frames, size_bytes);
	copy.frames = frames;
	idtable_add(&stacks->ids, hash, (uint32_t)stacks->rows.count);
	vec_push(&stacks->rows, copy);
}

/* Fetches the rows that are probably equal to the pending stacks, and then their frames. */
static void prefetch_rows(const struct distinct_stacks *stacks)
{
	const struct sorted_stack *same[DISTINCT_STACKS_PENDING];

	for (size_t i = 0; i < stacks->pending_count; i++) {
		uint32_t id = idtable_guess(&stacks->ids, stacks->pending[i].hash);

		same[i] = id == IDTABLE_NONE ? NULL : &stacks->rows.at[id];
		if (same[i])
			__builtin_prefetch(same[i]);
	}
	for (size_t i = 0; i < stacks->pending_count; i++)
		if (same[i])
			__builtin_prefetch(same[i]->frames);
}

static void add_pending(struct distinct_stacks *stacks)
{
	prefetch_rows(stacks);
	for (size_t i = 0; i < stacks->pending_count; i++) {
		struct pending_stack *pending = &stacks->pending[i];

		if (pending->stack.count)
			pending->stack.frames = stacks->pending_frames.at + pending->frame_first;
		add(stacks, &pending->stack, pending->hash);
	}
	stacks->pending_count = 0;
	stacks->pending_frames.count = 0;
}

void distinct_stacks_add(struct distinct_stacks *stacks, const struct sorted_stack *stack,
			 uint64_t hash)
{
	size_t first = stacks->pending_frames.count;

	idtable_prefetch(&stacks->ids, hash);
	vec_reserve(&stacks->pending_frames, first + stack->count);
	if (stack->count)
		memcpy(stacks->pending_frames.at + first, stack->frames,
		       stack->count * sizeof(*stack->frames));
	stacks->pending_frames.count += stack->count;
	stacks->pending[stacks->pending_count++] = (struct pending_stack){
		.stack = *stack,
		.frame_first = first,
		.hash = hash,
	};
	if (stacks->pending_count == DISTINCT_STACKS_PENDING)
		add_pending(stacks);
}

struct stack_list distinct_stacks_take(struct distinct_stacks *stacks)
{
	struct stack_list rows;

	add_pending(stacks);
	rows = stacks->rows;
	stacks->rows = (struct stack_list){ 0 };
	idtable_deinit(&stacks->ids);
	vec_free(&stacks->pending_frames);
	return rows;
}

/* Stacks with equal frames are merged only if this number is also equal. */
static uint64_t bin_of(uint32_t time_bin, uint32_t cpu)
{
	return (uint64_t)cpu << 32 | time_bin;
}

/* Returns the location of the leaf frame, or LOCATION_NONE if the stack has no frames. */
static location_id innermost(const struct resolved *resolved,
			     const struct resolved_callers *callers, location_id leaf)
{
	if (leaf.i == LOCATION_NONE.i && callers->frame_count)
		return resolved->frames.at[callers->frame_first + callers->frame_count - 1];
	return leaf;
}

/* Sets the group frame of the leaf's DSO; returns the hash of the whole buffer. */
static uint64_t set_dso(const struct unfolding *unfolding, uint32_t *buffer, uint32_t count,
			location_id leaf, uint64_t bin)
{
	size_t none = unfolding->frames->locations->rows.count;

	buffer[unfolding->dso_level] =
		unfolding->of_dso[leaf.i == LOCATION_NONE.i ? none : (size_t)leaf.i];
	return hash_bytes(buffer, count * sizeof(*buffer), bin);
}

/* The frames of one stack. */
struct stack_buffer {
	uint32_t *at;
	size_t count, capacity;
	size_t count_max;    /* more frames are left out */
	bool is_transformed; /* stacks are transformed when they are complete */
};

static struct stack_buffer buffer_of(const struct unfolding *unfolding)
{
	bool is_transformed = stack_transform_is_needed(&unfolding->transform);
	uint32_t depth_max = is_transformed ? 0 : unfolding->transform.depth_max;

	return (struct stack_buffer){
		.count_max = depth_max ? unfolding->grouping->count + (size_t)depth_max : SIZE_MAX,
		.is_transformed = is_transformed,
	};
}

/*
 * Adds a transformed copy of the stack in buffer. The buffer itself stays unchanged for the next
 * leaf.
 */
static void add_transformed(const struct unfolding *unfolding, struct stack_buffer *buffer,
			    struct sorted_stack stack, struct distinct_stacks *stacks)
{
	uint32_t *copy;

	vec_reserve(buffer, 2 * (size_t)stack.count);
	copy = buffer->at + stack.count;
	memcpy(copy, buffer->at, stack.count * sizeof(*copy));
	if (!stack_transform_apply(&unfolding->transform, copy, &stack.count,
				   unfolding->grouping->count))
		return;
	stack.frames = copy;
	distinct_stacks_add(
		stacks, &stack,
		hash_bytes(copy, stack.count * sizeof(*copy), bin_of(stack.time_bin, stack.cpu)));
}

/* Appends the frames of a location up to the maximum depth. */
static void push_location(const struct unfolding *unfolding, struct stack_buffer *buffer,
			  struct frame_run run)
{
	const uint32_t *frames = unfolding->frames->in_runs.at + run.first;

	for (uint32_t i = 0; i < run.count && buffer->count < buffer->count_max; i++)
		vec_push(buffer, frames[i]);
}

static bool takes_leaf(const struct unfolding *unfolding, location_id leaf)
{
	size_t none = unfolding->frames->locations->rows.count;

	return !unfolding->takes_leaf ||
	       unfolding->takes_leaf[leaf.i == LOCATION_NONE.i ? none : (size_t)leaf.i];
}

/* Adds the stacks of some callers. buffer contains the group frames and the callers' frames. */
static void add_leaves(const struct unfolding *unfolding, const struct resolved *resolved,
		       const struct resolved_callers *callers, const struct frame_run *of_location,
		       struct stack_buffer *buffer, struct distinct_stacks *stacks)
{
	uint32_t count = (uint32_t)buffer->count;
	uint64_t bin = bin_of(callers->time_bin, callers->cpu);
	uint64_t hash = hash_bytes(buffer->at, count * sizeof(*buffer->at), bin);

	for (size_t i = 0; i < callers->stack_count; i++) {
		const struct resolved_stack *source =
			&resolved->stacks.at[callers->stack_first + i];
		location_id leaf = innermost(resolved, callers, source->leaf);
		struct sorted_stack stack = {
			.count = count,
			.time_bin = callers->time_bin,
			.cpu = callers->cpu,
			.sample_count = source->sample_count,
			.weight = unfolding->counts_samples ? source->sample_count
							    : source->period_sum,
		};
		uint64_t stack_hash;

		if (!takes_leaf(unfolding, leaf))
			continue;
		buffer->count = count;
		if (unfolding->of_dso)
			hash = set_dso(unfolding, buffer->at, count, leaf, bin);
		if (source->leaf.i != LOCATION_NONE.i)
			push_location(unfolding, buffer, of_location[source->leaf.i]);
		stack.count = (uint32_t)buffer->count;
		stack_hash = hash;
		for (uint32_t k = count; k < stack.count; k++)
			stack_hash = hash_pair(stack_hash, buffer->at[k]);
		stack.frames = buffer->at;
		if (buffer->is_transformed)
			add_transformed(unfolding, buffer, stack, stacks);
		else
			distinct_stacks_add(stacks, &stack, stack_hash);
	}
}

/* Whether the frames after this location belong to a waker's stack. */
static bool is_separator(const struct unfolding *unfolding, location_id location)
{
	return unfolding->has_wakers &&
	       unfolding->frames->locations->rows.at[location.i].kind == LOCATION_SEPARATOR;
}

/* Adds the stacks of some callers below their group frames. */
static void add_callers(const struct unfolding *unfolding, const struct resolved *resolved,
			const struct resolved_callers *callers, const uint32_t *groups,
			bool is_java, struct stack_buffer *buffer, struct distinct_stacks *stacks)
{
	const struct profile_event *event = &unfolding->profile->events.at[callers->event];
	struct frame_variant variant = { is_java, event->is_off_cpu ? FRAME_WAITS : FRAME_RUNS };
	const struct frame_run *of_location = frames_of_locations(unfolding->frames, variant);

	if (!event->is_shown)
		return;
	buffer->count = 0;
	for (uint32_t i = 0; i < unfolding->grouping->count; i++)
		vec_push(buffer, groups[i]);
	for (uint32_t i = 0; i < callers->frame_count; i++) {
		location_id location = resolved->frames.at[callers->frame_first + i];

		if (is_separator(unfolding, location)) {
			variant.activity = FRAME_WAKES;
			of_location = frames_of_locations(unfolding->frames, variant);
		}
		push_location(unfolding, buffer, of_location[location.i]);
	}
	add_leaves(unfolding, resolved, callers, of_location, buffer, stacks);
}

void unfold(const struct unfolding *unfolding, const struct resolved *resolved,
	    const struct unfolded_groups *groups, struct distinct_stacks *stacks)
{
	struct stack_buffer buffer = buffer_of(unfolding);

	for (size_t i = 0; i < resolved->callers.count; i++) {
		uint32_t row = groups->rows[i];

		add_callers(unfolding, resolved, &resolved->callers.at[i],
			    groups->frames + (size_t)row * unfolding->grouping->count,
			    groups->is_java[row], &buffer, stacks);
	}
	vec_free(&buffer);
}
