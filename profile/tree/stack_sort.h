/* SPDX-License-Identifier: MIT */
/*
 * Sorting of stacks, runs of frame numbers, by the ranks of their frames, root first; a stack
 * comes before those it is the beginning of.
 */
#ifndef PROFILE_TREE_STACK_SORT_H
#define PROFILE_TREE_STACK_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sorted_stack {
	const uint32_t *frames;
	uint32_t count;
	uint32_t time_bin;
	uint64_t sample_count;
	uint64_t weight;
};

/* As VEC(struct sorted_stack), for who hands them over. */
struct stack_list {
	struct sorted_stack *at;
	size_t count, capacity;
};

/* Equal stacks end up side by side, in no particular order. */
void stack_sort(struct sorted_stack *stacks, size_t count, const uint32_t *rank);

/* The depth at which two stacks differ, or one ends; they are known to be equal up to depth. */
static inline uint32_t stack_common_depth(const struct sorted_stack *a,
					  const struct sorted_stack *b, uint32_t depth)
{
	uint32_t least = a->count < b->count ? a->count : b->count;

	while (depth < least && a->frames[depth] == b->frames[depth])
		depth++;
	return depth;
}

/* Below 0, 0 or above: whether a sorts before b. */
int stack_compare(const struct sorted_stack *a, const struct sorted_stack *b, const uint32_t *rank);

#endif
