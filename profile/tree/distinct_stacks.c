/* SPDX-License-Identifier: MIT */
#include "profile/tree/distinct_stacks.h"

#include <stdbool.h>

#include "base/saturate.h"

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
}

static bool are_same(const struct sorted_stack *a, const struct sorted_stack *b)
{
	return a->count == b->count && a->time_bin == b->time_bin &&
	       (!a->count || memcmp(a->frames, b->frames, a->count * sizeof(*a->frames)) == 0);
}

void distinct_stacks_add(struct distinct_stacks *stacks, const struct sorted_stack *stack,
			 uint64_t hash)
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

struct stack_list distinct_stacks_take(struct distinct_stacks *stacks)
{
	struct stack_list rows = stacks->rows;

	stacks->rows = (struct stack_list){ 0 };
	idtable_deinit(&stacks->ids);
	return rows;
}
