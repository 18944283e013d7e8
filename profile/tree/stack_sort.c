/* SPDX-License-Identifier: MIT */
/*
 * Three-way radix quicksort (Bentley, Sedgewick: "Fast Algorithms for Sorting and Searching
 * Strings", 1997), with frames in place of characters. The sort reads each frame of a shared prefix
 * once per partition, not once per comparison. The sort does not recurse, because stacks in the
 * input may be arbitrarily deep.
 */
#include "profile/tree/stack_sort.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/workers.h"

/* Below this count, insertion sort is faster than partitioning. */
#define SMALL_RANGE 12

struct range {
	size_t begin, end;
	uint32_t depth; /* frames that all stacks of the range have in common */
};

struct sorter {
	struct sorted_stack *stacks;
	const uint32_t *rank;
	VEC(struct range) ranges;
};

/* Returns 0 past the end of a stack, so that the stack sorts before longer stacks. */
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

static int stack_compare(const struct sorted_stack *a, const struct sorted_stack *b,
			 const uint32_t *rank)
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

/* Chooses the pivot by a hash, so that nobody can construct an input that is slow to sort. */
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

/* The number of stacks sampled for each bucket; bucket sizes then vary by about a tenth. */
#define LOOKED_AT 64
/* With fewer stacks, starting a thread costs more than it saves. */
#define BUCKET_STACKS_MIN 1024

/* How the stacks of one list are divided into buckets. */
struct division {
	const struct stack_list *list;
	uint16_t *buckets; /* by stack */
	size_t *places;    /* by bucket: number of stacks, later the index of the next stack */
};

struct stack_sorting {
	const uint32_t *rank;
	struct division *divisions;
	size_t division_count;
	struct sorted_stack *splitters; /* the smallest stack of each bucket except the first */
	size_t bucket_count;
	size_t *begins; /* by bucket; an additional entry at the end */
	struct stack_list sorted;
};

static size_t bucket_of(const struct stack_sorting *sorting, const struct sorted_stack *stack)
{
	size_t low = 0;
	size_t high = sorting->bucket_count - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stack_compare(stack, &sorting->splitters[middle], sorting->rank) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void divide(void *context, size_t index)
{
	const struct stack_sorting *sorting = context;
	struct division *division = &sorting->divisions[index];

	division->buckets = memory_alloc(division->list->count, sizeof(*division->buckets));
	division->places = memory_zalloc(sorting->bucket_count, sizeof(*division->places));
	for (size_t i = 0; i < division->list->count; i++) {
		size_t bucket = bucket_of(sorting, &division->list->at[i]);

		division->buckets[i] = (uint16_t)bucket;
		division->places[bucket]++;
	}
}

/* Computes where each bucket begins, and where in a bucket the stacks of each list begin. */
static void place_buckets(struct stack_sorting *sorting)
{
	size_t sum = 0;

	sorting->begins = memory_alloc(sorting->bucket_count + 1, sizeof(*sorting->begins));
	for (size_t i = 0; i < sorting->bucket_count; i++) {
		sorting->begins[i] = sum;
		for (size_t k = 0; k < sorting->division_count; k++) {
			size_t *place = &sorting->divisions[k].places[i];
			size_t count = *place;

			*place = sum;
			sum += count;
		}
	}
	sorting->begins[sorting->bucket_count] = sum;
	vec_reserve(&sorting->sorted, sum);
	sorting->sorted.count = sum;
}

static void scatter(void *context, size_t index)
{
	const struct stack_sorting *sorting = context;
	struct division *division = &sorting->divisions[index];

	for (size_t i = 0; i < division->list->count; i++)
		sorting->sorted.at[division->places[division->buckets[i]]++] =
			division->list->at[i];
	memory_free(division->buckets);
	memory_free(division->places);
}

static void sort_bucket(void *context, size_t index)
{
	const struct stack_sorting *sorting = context;
	size_t begin = sorting->begins[index];

	stack_sort(sorting->sorted.at + begin, sorting->begins[index + 1] - begin, sorting->rank);
}

static void find_splitters(struct stack_sorting *sorting, size_t stack_count)
{
	uint64_t wanted = sorting->bucket_count * LOOKED_AT;
	struct stack_list seen = { 0 };

	for (size_t i = 0; i < sorting->division_count; i++) {
		const struct stack_list *list = sorting->divisions[i].list;
		uint64_t share = (list->count * wanted + stack_count - 1) / stack_count;

		for (uint64_t k = 0; k < share; k++)
			vec_push(&seen, list->at[list->count * k / share]);
	}
	stack_sort(seen.at, seen.count, sorting->rank);
	for (size_t i = 1; i < sorting->bucket_count; i++)
		seen.at[i - 1] = seen.at[seen.count * i / sorting->bucket_count];
	sorting->splitters = seen.at;
}

/* Sorts in this thread, in the memory of the first list. */
static struct stack_list sort_alone(struct stack_list *lists, size_t list_count,
				    const uint32_t *rank)
{
	struct stack_list sorted = lists[0];

	lists[0] = (struct stack_list){ 0 };
	for (size_t i = 1; i < list_count; i++) {
		for (size_t k = 0; k < lists[i].count; k++)
			vec_push(&sorted, lists[i].at[k]);
		vec_free(&lists[i]);
	}
	stack_sort(sorted.at, sorted.count, rank);
	return sorted;
}

static size_t count_stacks(const struct stack_list *lists, size_t list_count)
{
	size_t count = 0;

	for (size_t i = 0; i < list_count; i++)
		count += lists[i].count;
	return count;
}

struct stack_list stack_sort_all(struct stack_list *lists, size_t list_count, const uint32_t *rank,
				 unsigned thread_count)
{
	size_t stack_count = count_stacks(lists, list_count);
	struct stack_sorting sorting = {
		.rank = rank,
		.division_count = list_count,
		.bucket_count = stack_count / BUCKET_STACKS_MIN,
	};

	if (sorting.bucket_count > thread_count)
		sorting.bucket_count = thread_count;
	if (sorting.bucket_count < 2)
		return sort_alone(lists, list_count, rank);
	sorting.divisions = memory_zalloc(list_count, sizeof(*sorting.divisions));
	for (size_t i = 0; i < list_count; i++)
		sorting.divisions[i].list = &lists[i];
	find_splitters(&sorting, stack_count);
	workers_run(thread_count, list_count, divide, &sorting);
	place_buckets(&sorting);
	workers_run(thread_count, list_count, scatter, &sorting);
	for (size_t i = 0; i < list_count; i++)
		vec_free(&lists[i]);
	workers_run(thread_count, sorting.bucket_count, sort_bucket, &sorting);
	memory_free(sorting.divisions);
	memory_free(sorting.splitters);
	memory_free(sorting.begins);
	return sorting.sorted;
}
