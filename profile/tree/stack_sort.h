/* SPDX-License-Identifier: MIT */
/*
 * Sorts stacks, which are arrays of frame ids, by the ranks of their frames, root first. A stack
 * sorts before longer stacks that begin with it. Several threads sort in parallel: splitters,
 * chosen from a sample of the stacks, divide all stacks into buckets of similar size, and each
 * bucket is sorted on its own.
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
	uint32_t time_bin, cpu;
	uint64_t sample_count;
	uint64_t weight;
};

/* A named type for VEC(struct sorted_stack). */
struct stack_list {
	struct sorted_stack *at;
	size_t count, capacity;
};

/* Sorts in this thread. The order of equal stacks is undefined. */
void stack_sort(struct sorted_stack *stacks, size_t count, const uint32_t *rank);

/*
 * Moves the stacks of all lists into one sorted list, which the caller frees with vec_free. The
 * arrays of frames are not moved.
 */
struct stack_list stack_sort_all(struct stack_list *lists, size_t list_count, const uint32_t *rank,
				 unsigned thread_count);

/*
 * Returns the depth at which two stacks differ or one of them ends. The stacks must be equal up to
 * `depth`.
 */
static inline uint32_t stack_common_depth(const struct sorted_stack *a,
					  const struct sorted_stack *b, uint32_t depth)
{
	uint32_t least = a->count < b->count ? a->count : b->count;

	while (depth < least && a->frames[depth] == b->frames[depth])
		depth++;
	return depth;
}

#endif
