/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/attributes.h"
#include "base/memory.h"
#include "base/vec.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define FRAMES_MAX 64

struct sample {
	VEC(struct sorted_stack) stacks;
	struct arena arena; /* of their frames */
	uint32_t rank[FRAMES_MAX];
};

/* The sample being sorted, since qsort's comparison has no context argument. */
static const struct sample *sorting;

static int compare_naively(const void *a, const void *b)
{
	const struct sorted_stack *left = a;
	const struct sorted_stack *right = b;
	uint32_t shorter = left->count < right->count ? left->count : right->count;

	for (uint32_t i = 0; i < shorter; i++) {
		uint32_t left_rank = sorting->rank[left->frames[i]];
		uint32_t right_rank = sorting->rank[right->frames[i]];

		if (left_rank != right_rank)
			return left_rank < right_rank ? -1 : 1;
	}
	return (left->count > right->count) - (left->count < right->count);
}

struct shape {
	const char *name;
	uint32_t stacks, depth_max, frames, ranks;
	uint32_t shared; /* frames that all stacks begin with */
};

static void make(struct sample *sample, const struct shape *shape, struct random *random)
{
	*sample = (struct sample){ 0 };
	arena_init(&sample->arena);
	/* Several frames may have one rank: the same name in two modules. */
	for (uint32_t i = 0; i < shape->frames; i++)
		sample->rank[i] = random_below(random, shape->ranks);
	for (uint32_t i = 0; i < shape->stacks; i++) {
		struct sorted_stack stack = {
			.count = shape->shared + random_below(random, shape->depth_max + 1),
			.sample_count = i,
			.weight = i * 3ull,
		};
		uint32_t *frames;

		frames = arena_alloc(&sample->arena, stack.count * sizeof(*frames),
				     _Alignof(uint32_t));
		for (uint32_t k = 0; k < stack.count; k++)
			frames[k] = k < shape->shared ? k % shape->frames
						      : random_below(random, shape->frames);
		stack.frames = frames;
		vec_push(&sample->stacks, stack);
	}
}

static void expect_sorted(const struct sample *sample, const struct sorted_stack *sorted,
			  const char *name)
{
	size_t count = sample->stacks.count;
	struct sorted_stack *naive = memory_alloc(count, sizeof(*naive));
	bool *is_seen = memory_zalloc(count, sizeof(*is_seen));

	sorting = sample;
	/* Without stacks the address may be NULL, which neither function accepts. */
	if (count) {
		memcpy(naive, sample->stacks.at, count * sizeof(*naive));
		qsort(naive, count, sizeof(*naive), compare_naively);
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t id = sorted[i].sample_count;

		cr_assert_eq(compare_naively(&sorted[i], &naive[i]), 0, "%s: place %zu", name, i);
		/* Each stack is still there, unchanged and only once. */
		cr_assert(id < count && !is_seen[id], "%s: place %zu", name, i);
		is_seen[id] = true;
		cr_assert_eq(sorted[i].frames, sample->stacks.at[id].frames);
		cr_assert_eq(sorted[i].count, sample->stacks.at[id].count);
		cr_assert_eq(sorted[i].weight, sample->stacks.at[id].weight);
	}
	memory_free(naive);
	memory_free(is_seen);
}

Test(stack_sort, agrees_with_whole_comparisons)
{
	static const struct shape shapes[] = {
		{ "few", 5, 6, 4, 4, 0 },
		{ "at the limit of insertion", 12, 3, 2, 2, 0 },
		{ "behind the limit", 13, 3, 2, 2, 0 },
		{ "bushy", 3000, 30, 60, 60, 0 },
		{ "mostly equal", 3000, 4, 2, 2, 0 },
		{ "all of one rank", 500, 10, 8, 1, 0 },
		{ "long shared beginnings", 800, 5, 40, 40, 300 },
		{ "shared ranks", 2000, 12, 60, 7, 2 },
		{ "one", 1, 3, 3, 3, 0 },
		{ "only empty ones", 40, 0, 1, 1, 0 },
	};
	struct random random = { 1234567 };

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		struct sorted_stack *sorted;
		struct sample sample;

		make(&sample, &shapes[i], &random);
		sorted = memory_alloc(sample.stacks.count, sizeof(*sorted));
		memcpy(sorted, sample.stacks.at, sample.stacks.count * sizeof(*sorted));
		stack_sort(sorted, sample.stacks.count, sample.rank);
		expect_sorted(&sample, sorted, shapes[i].name);
		memory_free(sorted);
		vec_free(&sample.stacks);
		arena_deinit(&sample.arena);
	}
	stack_sort(NULL, 0, NULL);
	assert_no_leaks();
}

/* Distributes stacks to lists; the first gets more than half of them, the last none. */
static void deal(const struct sample *sample, struct stack_list *lists, size_t list_count)
{
	size_t begin = 0;

	for (size_t i = 0; i < list_count; i++) {
		size_t left = sample->stacks.count - begin;
		size_t count = i + 2 < list_count ? left - left / 3 : left;

		lists[i] = (struct stack_list){ 0 };
		for (size_t k = 0; k < count; k++)
			vec_push(&lists[i], sample->stacks.at[begin + k]);
		begin += count;
	}
}

Test(stack_sort, several_lists_by_several_threads)
{
	static const struct shape shapes[] = {
		{ "bushy", 9000, 30, 60, 60, 0 },  { "mostly equal", 5000, 4, 2, 2, 0 },
		{ "all equal", 3000, 0, 1, 1, 4 }, { "shared ranks", 6000, 12, 60, 7, 2 },
		{ "few", 10, 6, 4, 4, 0 },         { "none", 0, 0, 1, 1, 0 },
	};
	static const unsigned threads[] = { 0, 1, 2, 3, 8 };
	struct random random = { 4321 };

	for (size_t i = 0; i < ARRAY_SIZE(shapes) * ARRAY_SIZE(threads); i++) {
		const struct shape *shape = &shapes[i / ARRAY_SIZE(threads)];
		struct stack_list lists[4];
		struct stack_list sorted;
		struct sample sample;

		make(&sample, shape, &random);
		deal(&sample, lists, ARRAY_SIZE(lists));
		sorted = stack_sort_all(lists, ARRAY_SIZE(lists), sample.rank,
					threads[i % ARRAY_SIZE(threads)]);
		cr_assert_eq(sorted.count, sample.stacks.count, "%s", shape->name);
		for (size_t k = 0; k < ARRAY_SIZE(lists); k++)
			cr_expect_eq(lists[k].count, 0);
		expect_sorted(&sample, sorted.at, shape->name);
		vec_free(&sorted);
		vec_free(&sample.stacks);
		arena_deinit(&sample.arena);
	}
	assert_no_leaks();
}

/* Orders for which a quicksort with a bad pivot takes quadratic time. */
Test(stack_sort, sorted_input_costs_no_more)
{
	enum {
		COUNT = 200000
	};
	uint32_t *frames = memory_alloc(COUNT, sizeof(*frames));
	uint32_t *rank = memory_alloc(COUNT, sizeof(*rank));
	struct sorted_stack *stacks = memory_alloc(COUNT, sizeof(*stacks));

	for (int is_falling = 0; is_falling < 2; is_falling++) {
		for (uint32_t i = 0; i < COUNT; i++) {
			frames[i] = i;
			rank[i] = is_falling ? COUNT - 1 - i : i;
			stacks[i] = (struct sorted_stack){ .frames = &frames[i], .count = 1 };
		}
		stack_sort(stacks, COUNT, rank);
		for (uint32_t i = 0; i < COUNT; i++)
			cr_assert_eq(rank[*stacks[i].frames], i);
	}
	memory_free(frames);
	memory_free(rank);
	memory_free(stacks);
}
