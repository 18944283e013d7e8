/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_parts.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* Adds callers with these frames, and one stack for each leaf. */
static void push(struct resolved *resolved, struct resolved_callers key, uint32_t frame_count,
		 const uint32_t *frames, uint32_t leaf_count, const uint32_t *leaves)
{
	key.frame_count = frame_count;
	key.frame_first = resolved->frames.count;
	key.stack_count = leaf_count;
	key.stack_first = resolved->stacks.count;
	for (uint32_t i = 0; i < frame_count; i++)
		vec_push(&resolved->frames, (location_id){ frames[i] });
	for (uint32_t i = 0; i < leaf_count; i++)
		vec_push(&resolved->stacks,
			 (struct resolved_stack){ { leaves[i] }, 1, 10 + leaves[i] });
	vec_push(&resolved->callers, key);
}

/* Merges the stacks of one or two workers. ids: also the final ids. */
static void merge(struct resolved *workers, size_t count, const struct location_list *ids,
		  struct resolved parts[STACK_PARTS_COUNT])
{
	struct hashed_stacks hashed[2] = { 0 };

	for (size_t i = 0; i < count; i++)
		hashed_stacks_set(&hashed[i], &workers[i]);
	for (uint32_t part = 0; part < STACK_PARTS_COUNT; part++) {
		struct stack_part stacks;

		stack_part_init(&stacks);
		for (size_t i = 0; i < count; i++)
			stack_part_add(&stacks, part, &hashed[i]);
		stack_part_take(&stacks, ids->at, &parts[part]);
		stack_part_deinit(&stacks);
	}
	for (size_t i = 0; i < count; i++)
		hashed_stacks_deinit(&hashed[i]);
}

static struct location_list same_ids(uint32_t count)
{
	struct location_list ids = { 0 };

	for (uint32_t i = 0; i < count; i++)
		vec_push(&ids, (location_id){ i });
	return ids;
}

/* Returns the callers with this event and number of frames, and their part. */
static const struct resolved_callers *find(const struct resolved parts[STACK_PARTS_COUNT],
					   uint32_t event, uint32_t frame_count,
					   const struct resolved **part_ret)
{
	for (size_t i = 0; i < STACK_PARTS_COUNT; i++)
		for (size_t k = 0; k < parts[i].callers.count; k++) {
			const struct resolved_callers *callers = &parts[i].callers.at[k];

			*part_ret = &parts[i];
			if (callers->event == event && callers->frame_count == frame_count)
				return callers;
		}
	return NULL;
}

static void deinit_all(struct resolved *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		resolved_deinit(&list[i]);
}

Test(stack_parts, equal_stacks_of_workers_are_added)
{
	struct resolved workers[2], parts[STACK_PARTS_COUNT];
	struct location_list ids = same_ids(8);
	const struct resolved_callers *callers;
	const struct resolved *part;

	for (size_t i = 0; i < 2; i++)
		resolved_init(&workers[i]);
	push(&workers[0], (struct resolved_callers){ .event = 1, .first_offset = 20 }, 2,
	     (uint32_t[]){ 4, 5 }, 2, (uint32_t[]){ 6, 7 });
	push(&workers[0], (struct resolved_callers){ .event = 2 }, 2, (uint32_t[]){ 4, 5 }, 1,
	     (uint32_t[]){ 6 });
	push(&workers[1], (struct resolved_callers){ .event = 1, .first_offset = 10 }, 2,
	     (uint32_t[]){ 4, 5 }, 2, (uint32_t[]){ 7, 1 });
	merge(workers, 2, &ids, parts);
	callers = find(parts, 1, 2, &part);
	cr_assert_not_null(callers);
	cr_assert_eq(callers->stack_count, 3);
	cr_expect_eq(callers->first_offset, 10);
	for (uint32_t i = 0; i < 3; i++) {
		static const struct resolved_stack wanted[] = { { { 6 }, 1, 16 },
								{ { 7 }, 2, 34 },
								{ { 1 }, 1, 11 } };
		const struct resolved_stack *stack = &part->stacks.at[callers->stack_first + i];

		cr_expect_eq(stack->leaf.i, wanted[i].leaf.i);
		cr_expect_eq(stack->sample_count, wanted[i].sample_count);
		cr_expect_eq(stack->period_sum, wanted[i].period_sum);
	}
	cr_expect_eq(part->frames.at[callers->frame_first].i, 4);
	cr_expect_eq(part->frames.at[callers->frame_first + 1].i, 5);
	callers = find(parts, 2, 2, &part);
	cr_assert_not_null(callers);
	cr_expect_eq(callers->stack_count, 1);
	deinit_all(workers, 2);
	deinit_all(parts, STACK_PARTS_COUNT);
	vec_free(&ids);
	assert_no_leaks();
}

Test(stack_parts, every_key_and_every_frame_counts)
{
	static const struct resolved_callers keys[] = {
		{ .event = 1 },    { .comm = 1 },   { .unnamed_tid = 1 },
		{ .pid = 1 },      { .tid = 1 },    { .cpu = 1 },
		{ .time_bin = 1 }, { .values = 1 }, { .event = 0 },
	};
	struct resolved worker, parts[STACK_PARTS_COUNT];
	struct location_list ids = same_ids(4);
	size_t count = 0;

	resolved_init(&worker);
	for (int turn = 0; turn < 2; turn++) {
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			push(&worker, keys[i], 1, (uint32_t[]){ 1 }, 1, (uint32_t[]){ 2 });
		push(&worker, keys[0], 1, (uint32_t[]){ 3 }, 1, (uint32_t[]){ 2 });
		push(&worker, keys[0], 2, (uint32_t[]){ 1, 1 }, 1, (uint32_t[]){ 2 });
		push(&worker, keys[0], 0, NULL, 1, &LOCATION_NONE.i);
	}
	merge(&worker, 1, &ids, parts);
	for (size_t i = 0; i < STACK_PARTS_COUNT; i++) {
		count += parts[i].callers.count;
		for (size_t k = 0; k < parts[i].stacks.count; k++)
			cr_expect_eq(parts[i].stacks.at[k].sample_count, 2);
	}
	cr_expect_eq(count, ARRAY_SIZE(keys) + 3);
	deinit_all(&worker, 1);
	deinit_all(parts, STACK_PARTS_COUNT);
	vec_free(&ids);
	assert_no_leaks();
}

Test(stack_parts, locations_are_renumbered)
{
	struct resolved worker, ret;
	struct location_list ids = { 0 };
	location_id final[] = { { 30 }, { 31 }, { 32 } };
	struct hashed_stacks hashed = { 0 };
	struct stack_part part;
	uint32_t index;

	vec_push(&ids, (location_id){ 2 });
	vec_push(&ids, (location_id){ 0 });
	resolved_init(&worker);
	push(&worker, (struct resolved_callers){ .values = 1 }, 1, (uint32_t[]){ 0 }, 1,
	     (uint32_t[]){ 1 });
	resolved_renumber(&worker, &ids);
	hashed_stacks_set(&hashed, &worker);
	cr_expect_eq(worker.frames.at[0].i, 2);
	cr_expect_eq(worker.stacks.at[0].leaf.i, 0);
	index = (uint32_t)(hashed.rows.at[0].hash % STACK_PARTS_COUNT);
	stack_part_init(&part);
	stack_part_add(&part, (index + 1) % STACK_PARTS_COUNT, &hashed);
	cr_expect_eq(part.rows.callers.count, 0);
	stack_part_add(&part, index, &hashed);
	stack_part_take(&part, final, &ret);
	cr_assert_eq(ret.callers.count, 1);
	cr_expect_eq(ret.callers.at[0].values, 1);
	cr_expect_eq(ret.frames.at[0].i, 32);
	cr_expect_eq(ret.stacks.at[0].leaf.i, 30);
	stack_part_deinit(&part);
	hashed_stacks_deinit(&hashed);
	deinit_all(&worker, 1);
	deinit_all(&ret, 1);
	vec_free(&ids);
	assert_no_leaks();
}

/* Samples without callchains have no callers, so there is no array of frames. */
Test(stack_parts, callers_without_frames)
{
	struct resolved workers[2], parts[STACK_PARTS_COUNT];
	struct location_list ids = same_ids(4);
	const struct resolved_callers *callers;
	const struct resolved *part;

	for (size_t i = 0; i < 2; i++) {
		resolved_init(&workers[i]);
		push(&workers[i], (struct resolved_callers){ .event = 1 }, 0, NULL, 2,
		     (uint32_t[]){ 2, 3 });
	}
	merge(workers, 2, &ids, parts);
	callers = find(parts, 1, 0, &part);
	cr_assert_not_null(callers);
	cr_expect_eq(callers->stack_count, 2);
	cr_expect_eq(part->stacks.at[callers->stack_first].sample_count, 2);
	deinit_all(workers, 2);
	deinit_all(parts, STACK_PARTS_COUNT);
	vec_free(&ids);
	assert_no_leaks();
}
