/* SPDX-License-Identifier: MIT */
/*
 * Three-way radix quicksort (Bentley, Sedgewick: "Fast Algorithms for Sorting and Searching
 * Strings", 1997) over frames instead of characters: looks at each frame of a shared beginning
 * once per partition rather than once per comparison. Depth is the input's, so the ranges still
 * to be sorted are kept in a list instead of on the stack.
 */
#include "profile/tree/stack_sort.h"

#include "base/hash.h"
#include "base/vec.h"

/* Below this many, insertion by whole comparisons is faster than partitioning. */
#define SMALL_RANGE 12

struct range {
	size_t begin, end;
	uint32_t depth; /* frames that all stacks of the range share */
};

struct sorter {
	struct sorted_stack *stacks;
	const uint32_t *rank;
	VEC(struct range) ranges;
};

/* 0 for a stack that has ended, which sorts it before all that go on. */
static uint32_t key(const struct sorter *sorter, const struct sorted_stack *stack, uint32_t depth)
{
	if (depth >= stack->count)
		return 0;
	return sorter->rank[stack->frames[depth]] + 1;
}

static int compare(const struct sorter *sorter, const struct sorted_stack *a,
		   const struct sorted_stack *b, uint32_t depth)
{
	for (;; depth++) {
		uint32_t left, right;

		depth = stack_common_depth(a, b, depth);
		left = key(sorter, a, depth);
		right = key(sorter, b, depth);
		if (left != right)
			return left < right ? -1 : 1;
		if (left == 0)
			return 0;
	}
}

int stack_compare(const struct sorted_stack *a, const struct sorted_stack *b, const uint32_t *rank)
{
	struct sorter sorter = { .rank = rank };

	return compare(&sorter, a, b, 0);
}

static void insertion_sort(const struct sorter *sorter, struct range range)
{
	for (size_t i = range.begin + 1; i < range.end; i++) {
		struct sorted_stack moving = sorter->stacks[i];
		size_t to = i;

		while (to > range.begin &&
		       compare(sorter, &moving, &sorter->stacks[to - 1], range.depth) < 0) {
			sorter->stacks[to] = sorter->stacks[to - 1];
			to--;
		}
		sorter->stacks[to] = moving;
	}
}

static void swap(struct sorted_stack *a, struct sorted_stack *b)
{
	struct sorted_stack old = *a;

	*a = *b;
	*b = old;
}

/* A pivot no input can foresee without knowing the order it is asked in. */
static uint32_t choose_pivot(const struct sorter *sorter, struct range range)
{
	size_t offset = hash_pair(range.begin, range.end ^ range.depth) % (range.end - range.begin);

	return key(sorter, &sorter->stacks[range.begin + offset], range.depth);
}

static void partition(struct sorter *sorter, struct range range)
{
	uint32_t pivot = choose_pivot(sorter, range);
	size_t less = range.begin;
	size_t at = range.begin;
	size_t greater = range.end;

	while (at < greater) {
		uint32_t mine = key(sorter, &sorter->stacks[at], range.depth);

		if (mine < pivot)
			swap(&sorter->stacks[less++], &sorter->stacks[at++]);
		else if (mine > pivot)
			swap(&sorter->stacks[at], &sorter->stacks[--greater]);
		else
			at++;
	}
	vec_push(&sorter->ranges, (struct range){ range.begin, less, range.depth });
	vec_push(&sorter->ranges, (struct range){ greater, range.end, range.depth });
	if (pivot)
		vec_push(&sorter->ranges, (struct range){ less, greater, range.depth + 1 });
}

void stack_sort(struct sorted_stack *stacks, size_t count, const uint32_t *rank)
{
	struct sorter sorter = { .stacks = stacks, .rank = rank };

	vec_push(&sorter.ranges, (struct range){ 0, count, 0 });
	while (sorter.ranges.count) {
		struct range range = sorter.ranges.at[--sorter.ranges.count];

		if (range.end - range.begin <= SMALL_RANGE)
			insertion_sort(&sorter, range);
		else
			partition(&sorter, range);
	}
	vec_free(&sorter.ranges);
}
