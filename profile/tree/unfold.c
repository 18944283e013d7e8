/* SPDX-License-Identifier: MIT */
#include "profile/tree/unfold.h"

#include "base/hash.h"

/* The innermost frame's location; LOCATION_NONE: the stack has no frames. */
static location_id innermost(const struct resolved *resolved,
			     const struct resolved_callers *callers, location_id leaf)
{
	if (leaf.i == LOCATION_NONE.i && callers->frame_count)
		return resolved->frames.at[callers->frame_first + callers->frame_count - 1];
	return leaf;
}

/*
 * Adds a stack, turned round above the frames it stands on. turned has room for as many frames. What
 * is cut is what is outermost then: stacks are cut after they were turned.
 */
static void add_reversed(const struct unfolding *unfolding, struct distinct_stacks *stacks,
			 const struct sorted_stack *stack, uint32_t group_count, uint32_t *turned)
{
	struct sorted_stack cut = *stack;

	for (uint32_t i = 0; i < stack->count; i++) {
		bool is_group = i < group_count;

		turned[i] = stack->frames[is_group ? i : stack->count - 1 - (i - group_count)];
	}
	if (unfolding->depth_max && stack->count - group_count > unfolding->depth_max)
		cut.count = group_count + unfolding->depth_max;
	cut.frames = turned;
	distinct_stacks_add(stacks, &cut,
			    hash_bytes(turned, cut.count * sizeof(*turned), stack->time_bin));
}

/* Puts the frame of the leaf's module where stacks stand on it; the hash of all of buffer. */
static uint64_t set_dso(const struct unfolding *unfolding, uint32_t *buffer, uint32_t count,
			location_id leaf, uint32_t time_bin)
{
	size_t none = unfolding->frames->locations->rows.count;

	buffer[unfolding->dso_level] =
		unfolding->of_dso[leaf.i == LOCATION_NONE.i ? none : (size_t)leaf.i];
	return hash_bytes(buffer, count * sizeof(*buffer), time_bin);
}

typedef VEC(uint32_t) stack_buffer;

/* Whether stacks lose frames of interpreters, so that how deep they are is known afterwards. */
static bool is_elided(const struct unfolding *unfolding)
{
	return unfolding->frames->naming.interpreter != INTERPRETER_SHOWN;
}

/* Cuts off what the frame that is to be the base stands on. False: the stack has none. */
static bool cut_to_base(const struct unfolding *unfolding, struct sorted_stack *stack)
{
	uint32_t first = 0;

	while (first < stack->count && !unfolding->is_base[stack->frames[first]])
		first++;
	stack->frames += first;
	stack->count -= first;
	return stack->count != 0;
}

/* Adds a stack that begins with its base, and with nothing that it would be grouped by. */
static void add_on_base(const struct unfolding *unfolding, struct distinct_stacks *stacks,
			struct sorted_stack stack, uint32_t *turned)
{
	if (!cut_to_base(unfolding, &stack))
		return;
	if (unfolding->is_reversed) {
		add_reversed(unfolding, stacks, &stack, 0, turned);
		return;
	}
	if (unfolding->depth_max && stack.count > unfolding->depth_max)
		stack.count = unfolding->depth_max;
	distinct_stacks_add(
		stacks, &stack,
		hash_bytes(stack.frames, stack.count * sizeof(*stack.frames), stack.time_bin));
}

/* Adds a stack without frames of interpreters. to has room for twice as many frames. */
static void add_elided(const struct unfolding *unfolding, struct distinct_stacks *stacks,
		       const struct sorted_stack *stack, uint32_t *to)
{
	uint32_t group_count = unfolding->grouping->count;
	struct sorted_stack elided = *stack;

	memcpy(to, stack->frames, group_count * sizeof(*to));
	elided.frames = to;
	elided.count =
		group_count + interpreter_elide(unfolding->frames, stack->frames + group_count,
						stack->count - group_count, to + group_count);
	if (unfolding->is_base) {
		add_on_base(unfolding, stacks, elided, to + stack->count);
		return;
	}
	if (unfolding->is_reversed) {
		add_reversed(unfolding, stacks, &elided, group_count, to + stack->count);
		return;
	}
	if (unfolding->depth_max && elided.count - group_count > unfolding->depth_max)
		elided.count = group_count + unfolding->depth_max;
	distinct_stacks_add(stacks, &elided,
			    hash_bytes(to, elided.count * sizeof(*to), elided.time_bin));
}

/* Appends the frames of a location, as many as depth_max lets be. */
static void push_location(const struct unfolding *unfolding, stack_buffer *buffer,
			  struct frame_run run)
{
	bool is_cut_later = unfolding->is_reversed || unfolding->is_base || is_elided(unfolding);
	size_t depth_max = is_cut_later ? 0 : unfolding->depth_max;
	size_t room = unfolding->grouping->count + depth_max - buffer->count;
	size_t count = depth_max && run.count > room ? room : run.count;

	vec_reserve(buffer, buffer->count + count);
	memcpy(buffer->at + buffer->count, unfolding->frames->in_runs.at + run.first,
	       count * sizeof(*buffer->at));
	buffer->count += count;
}

static bool takes_leaf(const struct unfolding *unfolding, location_id leaf)
{
	size_t none = unfolding->frames->locations->rows.count;

	return !unfolding->takes_leaf ||
	       unfolding->takes_leaf[leaf.i == LOCATION_NONE.i ? none : (size_t)leaf.i];
}

/* Adds the stacks of some callers. buffer holds what they stand on and the callers' own frames. */
static void add_leaves(const struct unfolding *unfolding, const struct resolved *resolved,
		       const struct resolved_callers *callers, const struct frame_run *of_location,
		       stack_buffer *buffer, struct distinct_stacks *stacks)
{
	uint32_t count = (uint32_t)buffer->count;
	uint64_t hash = hash_bytes(buffer->at, count * sizeof(*buffer->at), callers->time_bin);

	for (size_t i = 0; i < callers->stack_count; i++) {
		const struct resolved_stack *source =
			&resolved->stacks.at[callers->stack_first + i];
		location_id leaf = innermost(resolved, callers, source->leaf);
		struct sorted_stack stack = {
			.count = count,
			.time_bin = callers->time_bin,
			.sample_count = source->sample_count,
			.weight = unfolding->counts_samples ? source->sample_count
							    : source->period_sum,
		};
		uint64_t stack_hash;

		if (!takes_leaf(unfolding, leaf))
			continue;
		buffer->count = count;
		if (unfolding->of_dso)
			hash = set_dso(unfolding, buffer->at, count, leaf, callers->time_bin);
		if (source->leaf.i != LOCATION_NONE.i)
			push_location(unfolding, buffer, of_location[source->leaf.i]);
		stack.count = (uint32_t)buffer->count;
		stack_hash = hash;
		for (uint32_t k = count; k < stack.count; k++)
			stack_hash = hash_pair(stack_hash, buffer->at[k]);
		vec_reserve(buffer, 3 * (size_t)stack.count);
		stack.frames = buffer->at;
		if (is_elided(unfolding))
			add_elided(unfolding, stacks, &stack, buffer->at + stack.count);
		else if (unfolding->is_base)
			add_on_base(unfolding, stacks, stack, buffer->at + stack.count);
		else if (unfolding->is_reversed)
			add_reversed(unfolding, stacks, &stack, unfolding->grouping->count,
				     buffer->at + stack.count);
		else
			distinct_stacks_add(stacks, &stack, stack_hash);
	}
}

/* Whether what stands above it is another's stack. */
static bool is_separator(const struct unfolding *unfolding, location_id location)
{
	return unfolding->has_wakers &&
	       unfolding->frames->locations->rows.at[location.i].kind == LOCATION_SEPARATOR;
}

/* Adds the stacks of some callers, which stand on groups. */
static void add_callers(const struct unfolding *unfolding, const struct resolved *resolved,
			const struct resolved_callers *callers, const uint32_t *groups,
			bool is_java, stack_buffer *buffer, struct distinct_stacks *stacks)
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
	    const uint32_t *groups, const bool *is_java, struct distinct_stacks *stacks)
{
	stack_buffer buffer = { 0 };

	for (size_t i = 0; i < resolved->callers.count; i++)
		add_callers(unfolding, resolved, &resolved->callers.at[i],
			    groups + i * unfolding->grouping->count, is_java[i], &buffer, stacks);
	vec_free(&buffer);
}
