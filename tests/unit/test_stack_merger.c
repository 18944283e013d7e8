/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_merger.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* Adds a stack: callers and a leaf, which are addresses of one module. 0: no leaf. */
static void push(struct resolved *resolved, struct stack_key key, uint32_t caller_count,
		 const uint64_t *callers, uint64_t leaf)
{
	struct resolved_stack stack = {
		.key = resolved_key(resolved, &key),
		.callers = CALLERS_NONE,
		.leaf = LOCATION_NONE,
		.sample_count = 1,
		.period_sum = 10 + leaf,
	};

	for (uint32_t i = 0; i < caller_count; i++) {
		struct place place = { .address = callers[i] };

		stack.callers =
			callers_add(&resolved->callers, stack.callers,
				    (location_id){ places_intern(&resolved->places, &place) });
	}
	if (leaf)
		stack.leaf.i = places_intern(&resolved->places, &(struct place){ .address = leaf });
	vec_push(&resolved->stacks, stack);
}

static void begin(struct resolved *workers, size_t count, struct stack_merger *merger)
{
	stack_merger_init(merger, count, 2);
	for (size_t i = 0; i < count; i++) {
		resolved_init(&workers[i]);
		stack_merger_set_worker(merger, i, &workers[i]);
	}
}

static void end(struct resolved *workers, size_t count, struct stack_merger *merger,
		struct locations *locations)
{
	for (size_t i = 0; i < count; i++)
		resolved_deinit(&workers[i]);
	stack_merger_deinit(merger);
	locations_deinit(locations);
}

/* "1:4 5|6 2x 26" is event 1, callers 4 and 5, leaf 6, two samples, period 26. */
static void write_stack(const struct resolved *resolved, const struct locations *locations,
			const struct resolved_stack *stack, char *text, size_t size)
{
	const struct callers *callers = &resolved->callers;
	char path[64] = "";

	for (uint32_t node = stack->callers; node != CALLERS_NONE;
	     node = callers_parent(callers, node)) {
		char inner[64];

		snprintf(inner, sizeof(inner), "%s", path);
		snprintf(path, sizeof(path), " %u%.50s",
			 (unsigned)locations->rows.at[callers->locations.at[node].i].address,
			 inner);
	}
	snprintf(text, size, "%u:%s|%u %ux %u", (unsigned)resolved->keys.at[stack->key].event,
		 path[0] ? path + 1 : path,
		 stack->leaf.i == LOCATION_NONE.i
			 ? 0
			 : (unsigned)locations->rows.at[stack->leaf.i].address,
		 (unsigned)stack->sample_count, (unsigned)stack->period_sum);
}

/* Whether exactly one worker has this stack. */
static bool has_once(const struct resolved *workers, size_t count,
		     const struct locations *locations, const char *expected)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < workers[i].stacks.count; k++) {
			char text[128];

			write_stack(&workers[i], locations, &workers[i].stacks.at[k], text,
				    sizeof(text));
			found += strcmp(text, expected) == 0;
		}
	return found == 1;
}

Test(stack_merger, equal_stacks_of_workers_are_added)
{
	static const uint64_t callers[] = { 4, 5 }, others[] = { 5, 4 };
	static const char *const expected[] = { "1:4 5|6 1x 16", "1:4 5|7 2x 34", "1:4 5|1 1x 11",
						"2:4 5|6 1x 16", "1:5 4|7 1x 17", "1:4|7 1x 17",
						"1:4 5|0 2x 20", "1:|7 2x 34" };
	struct resolved workers[2];
	struct stack_merger merger;
	struct locations locations;
	size_t count;

	locations_init(&locations);
	begin(workers, 2, &merger);
	/* The workers number the same locations differently. */
	push(&workers[0], (struct stack_key){ .event = 1, .first_offset = 20 }, 2, callers, 6);
	push(&workers[0], (struct stack_key){ .event = 1 }, 2, callers, 7);
	push(&workers[0], (struct stack_key){ .event = 2 }, 2, callers, 6);
	push(&workers[0], (struct stack_key){ .event = 1 }, 2, callers, 0);
	push(&workers[0], (struct stack_key){ .event = 1 }, 0, NULL, 7);
	push(&workers[1], (struct stack_key){ .event = 1 }, 2, others, 7);
	push(&workers[1], (struct stack_key){ .event = 1 }, 0, NULL, 7);
	push(&workers[1], (struct stack_key){ .event = 1 }, 2, callers, 0);
	push(&workers[1], (struct stack_key){ .event = 1 }, 2, callers, 1);
	push(&workers[1], (struct stack_key){ .event = 1 }, 2, callers, 7);
	push(&workers[1], (struct stack_key){ .event = 1 }, 1, callers, 7);
	cr_expect_not(stack_merger_merge(&merger, 1u << 20));
	cr_expect(stack_merger_merge(&merger, 1));
	cr_expect_not(stack_merger_merge(&merger, 1), "nothing was added since");
	count = workers[0].stacks.count + workers[1].stacks.count;
	cr_expect_eq(count, ARRAY_SIZE(expected));
	stack_merger_finish(&merger, &locations);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		cr_expect(has_once(workers, 2, &locations, expected[i]), "%s", expected[i]);
	end(workers, 2, &merger, &locations);
	assert_no_leaks();
}

Test(stack_merger, every_member_of_a_key_counts)
{
	static const struct stack_key keys[] = {
		{ .event = 1 },    { .comm = 1 },   { .unnamed_tid = 1 },
		{ .pid = 1 },      { .tid = 1 },    { .cpu = 1 },
		{ .time_bin = 1 }, { .values = 1 }, { .event = 0 },
	};
	static const uint64_t callers[] = { 1 };
	struct stack_merger merger;
	struct locations locations;
	struct resolved worker;

	locations_init(&locations);
	begin(&worker, 1, &merger);
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			push(&worker, keys[i], 1, callers, 2);
	cr_assert(stack_merger_merge(&merger, 1));
	cr_expect_eq(worker.stacks.count, ARRAY_SIZE(keys));
	for (size_t i = 0; i < worker.stacks.count; i++)
		cr_expect_eq(worker.stacks.at[i].sample_count, 2);
	end(&worker, 1, &merger, &locations);
	assert_no_leaks();
}

/* Callers are removed with the last stack that needs them, and the parents of others change. */
Test(stack_merger, callers_that_are_not_needed_are_removed)
{
	static const uint64_t callers[] = { 1, 2, 3 };
	struct stack_merger merger;
	struct locations locations;
	struct resolved workers[3];
	size_t node_count = 0;

	locations_init(&locations);
	begin(workers, 3, &merger);
	for (int i = 0; i < 3; i++) {
		for (uint64_t leaf = 1; leaf <= 100; leaf++)
			push(&workers[i], (struct stack_key){ .event = 0 }, 3, callers, leaf);
		/* Only this worker has stacks below these callers. */
		push(&workers[i], (struct stack_key){ .event = 0 }, 1,
		     (uint64_t[]){ 200 + (uint64_t)i }, 5);
	}
	cr_assert(stack_merger_merge(&merger, 1));
	/* Stacks with the same callers are at the same worker. */
	for (int i = 0; i < 3; i++) {
		cr_expect(workers[i].stacks.count == 1 || workers[i].stacks.count == 101,
			  "worker %d: %zu", i, workers[i].stacks.count);
		node_count += workers[i].callers.locations.count - 1;
	}
	cr_expect_eq(node_count, 100 * 3 + 3);
	stack_merger_finish(&merger, &locations);
	cr_expect(has_once(workers, 3, &locations, "0:1 2 3|77 3x 261"));
	cr_expect(has_once(workers, 3, &locations, "0:201|5 1x 15"));
	end(workers, 3, &merger, &locations);
	assert_no_leaks();
}
