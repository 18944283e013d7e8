/* SPDX-License-Identifier: MIT */
/*
 * Sorts stacks, which are arrays of frame numbers, by the ranks of their frames, root first. A stack
 * precedes all that begin with it. Several threads sort by sampling: a sample of the stacks gives
 * splitters, which divide all of them into buckets of similar size; each bucket is then sorted by itself.
 *
 *     lists     d a f   c e b          splitter  d
 *     buckets   a c b │ d f e
 *     sorted    a b c │ d e f
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

/* A VEC(struct sorted_stack) with a name. */
struct stack_list {
	struct sorted_stack *at;
	size_t count, capacity;
};

/* Sorts by one thread. The order among equal stacks is not defined. */
void stack_sort(struct sorted_stack *stacks, size_t count, const uint32_t *rank);

/* Empties the lists into one sorted list; the caller frees it with vec_free. Frames stay where they are. */
struct stack_list stack_sort_all(struct stack_list *lists, size_t list_count, const uint32_t *rank,
				 unsigned thread_count);

/* Returns the depth at which two stacks differ or one ends; they are equal up to depth. */
static inline uint32_t stack_common_depth(const struct sorted_stack *a,
					  const struct sorted_stack *b, uint32_t depth)
{
	uint32_t least = a->count < b->count ? a->count : b->count;

	while (depth < least && a->frames[depth] == b->frames[depth])
		depth++;
	return depth;
}

#endif
