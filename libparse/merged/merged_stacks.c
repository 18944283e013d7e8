/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_stacks.h"

#include "base/leb128.h"
#include "base/memory.h"
#include "libparse/merged/merged_text.h"

static bool corrupt(const char *what, struct error *err)
{
	return error_set(err, ERROR_CORRUPT, "a chunk is corrupt: %s", what);
}

static bool read_groups(struct merged_stacks *stacks, struct error *err)
{
	struct merged_group group;
	struct text text;
	uint64_t count;

	if (!leb128_unsigned(&stacks->rest, &count))
		return corrupt("its groups are missing", err);
	for (uint64_t i = 0; i < count; i++) {
		if (!merged_string_read(&stacks->rest, &text) || !merged_group_read(text, &group))
			return corrupt("a group is not valid", err);
		vec_push(&stacks->groups, text);
	}
	return true;
}

static bool read_frames(struct merged_stacks *stacks, struct error *err)
{
	struct merged_frame frame;
	struct text text;
	uint64_t count;

	if (!leb128_unsigned(&stacks->rest, &count))
		return corrupt("its frames are missing", err);
	for (uint64_t i = 0; i < count; i++) {
		if (!merged_string_read(&stacks->rest, &text) || !merged_frame_read(text, &frame))
			return corrupt("a frame is not valid", err);
		vec_push(&stacks->frames, text);
	}
	return true;
}

bool merged_stacks_open(struct merged_stacks *stacks, const struct input *input,
			const struct merged_chunk *chunk, struct error *err)
{
	*stacks = (struct merged_stacks){ .left_count = chunk->stack_count };
	if (!merged_chunk_load(input, chunk, &stacks->bytes, err))
		return false;
	stacks->rest = span_of(stacks->bytes, (size_t)chunk->raw_bytes, 0, HOST_IS_BIG_ENDIAN);
	return read_groups(stacks, err) && read_frames(stacks, err);
}

void merged_stacks_close(struct merged_stacks *stacks)
{
	memory_free(stacks->bytes);
	vec_free(&stacks->groups);
	vec_free(&stacks->frames);
	vec_free(&stacks->path);
	*stacks = (struct merged_stacks){ .bytes = NULL };
}

/* Reads the elements that the stack does not share with the previous stack. */
static bool read_elements(struct merged_stacks *stacks, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		size_t row_count = stacks->path.count ? stacks->frames.count : stacks->groups.count;
		uint64_t row;

		if (!leb128_unsigned(&stacks->rest, &row) || row >= row_count)
			return false;
		vec_push(&stacks->path, (uint32_t)row);
	}
	return true;
}

bool merged_stacks_next(struct merged_stacks *stacks, struct error *err)
{
	uint64_t shared;
	uint64_t count;

	err->code = ERROR_NONE;
	if (!stacks->left_count)
		return span_left(&stacks->rest) && corrupt("unexpected bytes follow its "
							   "stacks",
							   err);
	stacks->left_count--;
	if (!leb128_unsigned(&stacks->rest, &shared) || shared > stacks->path.count ||
	    !leb128_unsigned(&stacks->rest, &count) || (!shared && !count) ||
	    count > LIMIT_MERGED_STACK_ELEMENTS - shared)
		return corrupt("the length of a stack is not valid", err);
	stacks->element_count += shared + count;
	if (stacks->element_count > LIMIT_MERGED_CHUNK_ELEMENTS)
		return corrupt("its stacks are too long", err);
	stacks->shared_count = (uint32_t)shared;
	stacks->path.count = (size_t)shared;
	return (read_elements(stacks, count) &&
		leb128_unsigned(&stacks->rest, &stacks->sample_count) &&
		leb128_unsigned(&stacks->rest, &stacks->weight)) ||
	       corrupt("a stack is not valid", err);
}
