/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_merger.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/tree/callers.h"

/* While stacks are added up, those this far ahead are fetched. */
#define AHEAD 16

/* In place of its key, if a stack was added to another one. */
#define KEY_OF_ADDED UINT32_MAX

/* A stack that remains. */
struct remaining_stack {
	struct sequence_hash hash;
	struct resolved_stack *stack;
};

struct stack_part {
	VEC(struct remaining_stack) rows;
	struct idtable ids;
};

/* Hashes all callers and all keys, so that a stack's hash needs only one of each. */
static void hash_callers_and_keys(struct hashed_stacks *hashed)
{
	const struct resolved *resolved = hashed->resolved;
	const struct callers *callers = &resolved->callers;

	vec_reserve(&hashed->callers, callers->locations.count);
	vec_push(&hashed->callers, hash_sequence(0));
	for (uint32_t i = 1; i < callers->locations.count; i++)
		vec_push(&hashed->callers,
			 hash_append(hashed->callers.at[callers_parent(callers, i)],
				     hashed->ids[callers->locations.at[i].i].i));
	for (size_t i = 0; i < resolved->keys.count; i++)
		vec_push(&hashed->keys, stack_key_hash(&resolved->keys.at[i]));
}

static struct sequence_hash hash_of(const struct hashed_stacks *hashed,
				    const struct resolved_stack *stack)
{
	location_id leaf = stack->leaf;

	if (leaf.i != LOCATION_NONE.i)
		leaf = hashed->ids[leaf.i];
	return hash_append(hash_append(hashed->callers.at[stack->callers], leaf.i),
			   hashed->keys.at[stack->key]);
}

/* Hashes the stacks of a worker. */
static void hash_stacks(struct hashed_stacks *hashed, struct resolved *resolved,
			const location_id *ids)
{
	size_t count = resolved->stacks.count;
	size_t next[STACK_PARTS_COUNT];
	unsigned char *parts = memory_alloc(count, sizeof(*parts));

	*hashed = (struct hashed_stacks){ .resolved = resolved, .ids = ids };
	hash_callers_and_keys(hashed);
	for (size_t i = 0; i < count; i++) {
		/* Stacks with the same callers remain at the same worker. */
		parts[i] = hashed->callers.at[resolved->stacks.at[i].callers].first %
			   STACK_PARTS_COUNT;
		hashed->firsts[parts[i] + 1]++;
	}
	for (size_t i = 0; i < STACK_PARTS_COUNT; i++) {
		next[i] = hashed->firsts[i];
		hashed->firsts[i + 1] += hashed->firsts[i];
	}
	vec_reserve(&hashed->rows, count);
	for (size_t i = 0; i < count; i++)
		hashed->rows.at[next[parts[i]]++] = (uint32_t)i;
	hashed->rows.count = count;
	memory_free(parts);
}

/* Adds a stack to an equal one that remains. If there is none, it remains itself. */
static void add(struct stack_part *part, struct resolved_stack *stack, struct sequence_hash hash)
{
	struct idtable_probe probe = idtable_find(&part->ids, hash.second);
	uint32_t id;

	while ((id = idtable_next(&part->ids, &probe)) != IDTABLE_NONE) {
		const struct remaining_stack *row = &part->rows.at[id];

		if (row->hash.first != hash.first || row->hash.second != hash.second)
			continue;
		row->stack->sample_count =
			saturate_add(row->stack->sample_count, stack->sample_count);
		row->stack->period_sum = saturate_add(row->stack->period_sum, stack->period_sum);
		stack->key = KEY_OF_ADDED;
		return;
	}
	idtable_add(&part->ids, hash.second, (uint32_t)part->rows.count);
	vec_push(&part->rows, (struct remaining_stack){ hash, stack });
}

static void add_worker(struct stack_part *part, const struct hashed_stacks *hashed, size_t index)
{
	struct resolved_stack *stacks = hashed->resolved->stacks.at;
	const uint32_t *rows = hashed->rows.at;
	size_t end = hashed->firsts[index + 1];

	for (size_t i = hashed->firsts[index]; i < end; i++) {
		struct resolved_stack *stack = &stacks[rows[i]];

		if (i + 2 * AHEAD < end)
			__builtin_prefetch(&stacks[rows[i + 2 * AHEAD]]);
		if (i + AHEAD < end)
			__builtin_prefetch(&hashed->callers.at[stacks[rows[i + AHEAD]].callers]);
		add(part, stack, hash_of(hashed, stack));
	}
}

/*
 * Adds up the stacks in one part of all workers. Those that are added to others are marked.
 */
static void add_up(const struct hashed_stacks *workers, size_t worker_count, size_t index)
{
	struct stack_part part = { 0 };

	idtable_init(&part.ids);
	/* The first worker varies, so that about as many stacks remain at each. */
	for (size_t i = 0; i < worker_count; i++)
		add_worker(&part, &workers[(index + i) % worker_count], index);
	vec_free(&part.rows);
	idtable_deinit(&part.ids);
}

/* Removes the stacks that were added to others. Marks the nodes that the others need. */
static void remove_stacks(struct resolved *resolved, bool *is_needed)
{
	size_t count = 0;

	for (size_t i = 0; i < resolved->stacks.count; i++) {
		struct resolved_stack stack = resolved->stacks.at[i];
		uint32_t node = stack.callers;

		if (stack.key == KEY_OF_ADDED)
			continue;
		resolved->stacks.at[count++] = stack;
		for (; !is_needed[node]; node = callers_parent(&resolved->callers, node))
			is_needed[node] = true;
	}
	resolved->stacks.count = count;
}

/* Removes the nodes that are not needed. Sets the new numbers of the others. */
static void remove_callers(struct resolved *resolved, const bool *is_needed, uint32_t *numbers)
{
	const struct callers *callers = &resolved->callers;
	struct callers remaining;

	callers_init(&remaining);
	for (uint32_t i = 1; i < callers->locations.count; i++)
		if (is_needed[i])
			numbers[i] = callers_add(&remaining, numbers[callers_parent(callers, i)],
						 callers->locations.at[i]);
	callers_deinit(&resolved->callers);
	resolved->callers = remaining;
}

/* Removes what was added to others, and callers that no stack needs any more. */
static void compact(struct hashed_stacks *hashed)
{
	struct resolved *resolved = hashed->resolved;
	size_t count = resolved->callers.locations.count;
	bool *is_needed = memory_zalloc(count, sizeof(*is_needed));
	uint32_t *numbers = memory_zalloc(count, sizeof(*numbers));

	vec_free(&hashed->callers);
	vec_free(&hashed->keys);
	vec_free(&hashed->rows);
	is_needed[CALLERS_NONE] = true;
	remove_stacks(resolved, is_needed);
	remove_callers(resolved, is_needed, numbers);
	for (size_t i = 0; i < resolved->stacks.count; i++)
		resolved->stacks.at[i].callers = numbers[resolved->stacks.at[i].callers];
	memory_free(is_needed);
	memory_free(numbers);
}

void stack_merger_init(struct stack_merger *merger, size_t worker_count, unsigned thread_count)
{
	*merger = (struct stack_merger){
		.workers = memory_zalloc(worker_count, sizeof(struct resolved *)),
		.worker_count = worker_count,
		.thread_count = thread_count,
		.hashed = memory_zalloc(worker_count, sizeof(*merger->hashed)),
	};
	location_parts_init(&merger->locations, worker_count);
}

void stack_merger_deinit(struct stack_merger *merger)
{
	location_parts_deinit(&merger->locations);
	memory_free(merger->workers);
	memory_free(merger->hashed);
}

void stack_merger_set_worker(struct stack_merger *merger, size_t worker, struct resolved *resolved)
{
	merger->workers[worker] = resolved;
}

static void divide_locations(void *context, size_t index)
{
	struct stack_merger *merger = context;

	location_parts_divide(&merger->locations, index, &merger->workers[index]->places);
}

static void number_part(void *context, size_t index)
{
	struct stack_merger *merger = context;

	location_parts_number(&merger->locations, index);
}

/* Gives common ids to the locations of all workers. */
static void number_locations(struct stack_merger *merger)
{
	workers_run(merger->thread_count, merger->worker_count, divide_locations, merger);
	workers_run(merger->thread_count, LOCATION_PARTS_COUNT, number_part, merger);
}

static void hash_worker(void *context, size_t index)
{
	struct stack_merger *merger = context;

	hash_stacks(&merger->hashed[index], merger->workers[index],
		    location_parts_collect(&merger->locations, index)->at);
}

static void add_up_part(void *context, size_t index)
{
	const struct stack_merger *merger = context;

	add_up(merger->hashed, merger->worker_count, index);
}

static void compact_worker(void *context, size_t index)
{
	struct stack_merger *merger = context;

	compact(&merger->hashed[index]);
}

static size_t size_bytes_of(const struct stack_merger *merger)
{
	size_t total_bytes = 0;

	for (size_t i = 0; i < merger->worker_count; i++)
		total_bytes += resolved_size_bytes(merger->workers[i]);
	return total_bytes;
}

bool stack_merger_merge(struct stack_merger *merger, size_t size_bytes)
{
	size_t total_bytes = size_bytes_of(merger);

	if (total_bytes < size_bytes || total_bytes / 2 < merger->merged_bytes)
		return false;
	number_locations(merger);
	workers_run(merger->thread_count, merger->worker_count, hash_worker, merger);
	workers_run(merger->thread_count, STACK_PARTS_COUNT, add_up_part, merger);
	workers_run(merger->thread_count, merger->worker_count, compact_worker, merger);
	merger->merged_bytes = size_bytes_of(merger);
	return true;
}

static void renumber_worker(void *context, size_t index)
{
	struct stack_merger *merger = context;
	struct location_list *ids = location_parts_collect(&merger->locations, index);

	for (size_t i = 0; i < ids->count; i++)
		ids->at[i] = merger->renumbered[ids->at[i].i];
	resolved_renumber(merger->workers[index], ids->at);
}

void stack_merger_finish(struct stack_merger *merger, struct locations *locations)
{
	number_locations(merger);
	/* The places are also in the parts. */
	for (size_t i = 0; i < merger->worker_count; i++) {
		places_deinit(&merger->workers[i]->places);
		places_init(&merger->workers[i]->places);
	}
	merger->renumbered =
		location_parts_take(&merger->locations, locations, merger->thread_count);
	workers_run(merger->thread_count, merger->worker_count, renumber_worker, merger);
	memory_free(merger->renumbered);
	stack_merger_end(merger);
}

void stack_merger_end(struct stack_merger *merger)
{
	location_parts_deinit(&merger->locations);
}
