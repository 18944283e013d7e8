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

/*
 * Removes the frames before the first base. Returns false if there is no base. The first kept_count
 * frames remain.
 */
static bool cut_to_base(const struct stack_transform *transform, uint32_t *frames, uint32_t *count,
			uint32_t kept_count)
{
	uint32_t first = 0;

	while (first < *count && !transform->is_base[frames[first]])
		first++;
	if (first == *count) {
		*count = 0;
		return false;
	}
	/* The base may be a frame that remains. */
	if (first < kept_count)
		first = kept_count;
	*count -= first - kept_count;
	memmove(frames + kept_count, frames + first, (*count - kept_count) * sizeof(*frames));
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

	/* An empty stack may have no array. */
	if (!*count)
		return !transform->is_base;
	code = frames + group_count;
	if (is_elided(transform))
		*count = group_count +
			 interpreter_elide(transform->frames, code, *count - group_count, code);
	if (transform->is_base) {
		group_count = transform->keeps_groups ? group_count : 0;
		if (!cut_to_base(transform, frames, count, group_count))
			return false;
	}
	if (transform->is_reversed)
		reverse(frames + group_count, *count - group_count);
	if (transform->depth_max && *count - group_count > transform->depth_max)
		*count = group_count + transform->depth_max;
	return true;
}
