/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_transform.h"

static bool is_elided(const struct stack_transform *transform)
{
	return transform->frames && transform->frames->naming->interpreter != INTERPRETER_SHOWN;
}

bool stack_transform_is_needed(const struct stack_transform *transform)
{
	return transform->is_reversed || transform->is_base || is_elided(transform);
}

/* Removes the frames before the first base. Returns false if there is no base. */
static bool cut_to_base(const struct stack_transform *transform, uint32_t *frames, uint32_t *count)
{
	uint32_t first = 0;

	while (first < *count && !transform->is_base[frames[first]])
		first++;
	if (first == *count) {
		*count = 0;
		return false;
	}
	*count -= first;
	memmove(frames, frames + first, *count * sizeof(*frames));
	return true;
}

static void reverse(uint32_t *frames, uint32_t count)
{
	for (uint32_t low = 0, high = count; low + 1 < high; low++) {
		uint32_t frame = frames[low];

		frames[low] = frames[--high];
		frames[high] = frame;
	}
}

bool stack_transform_apply(const struct stack_transform *transform, uint32_t *frames,
			   uint32_t *count, uint32_t group_count)
{
	uint32_t *code;
	uint32_t rest;

	/* An empty stack may have no array. */
	if (!*count)
		return !transform->is_base;
	code = frames + group_count;
	if (is_elided(transform))
		*count = group_count +
			 interpreter_elide(transform->frames, code, *count - group_count, code);
	if (transform->is_base) {
		group_count = transform->keeps_groups ? group_count : 0;
		rest = *count - group_count;
		if (!cut_to_base(transform, frames + group_count, &rest))
			return false;
		*count = group_count + rest;
	}
	if (transform->is_reversed)
		reverse(frames + group_count, *count - group_count);
	if (transform->depth_max && *count - group_count > transform->depth_max)
		*count = group_count + transform->depth_max;
	return true;
}
