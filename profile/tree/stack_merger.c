/* SPDX-License-Identifier: MIT */
#include "profile/tree/stack_merger.h"

#include "base/memory.h"
#include "base/workers.h"

void stack_merger_init(struct stack_merger *merger, size_t worker_count, unsigned thread_count)
{
	*merger = (struct stack_merger){
		.workers = memory_zalloc(worker_count, sizeof(struct resolved *)),
		.worker_count = worker_count,
		.thread_count = thread_count,
		.hashed = memory_zalloc(worker_count, sizeof(*merger->hashed)),
	};
	location_parts_init(&merger->locations, worker_count);
	for (size_t i = 0; i < STACK_PARTS_COUNT; i++)
		stack_part_init(&merger->parts[i]);
}

void stack_merger_deinit(struct stack_merger *merger)
{
	for (size_t i = 0; i < merger->worker_count; i++)
		hashed_stacks_deinit(&merger->hashed[i]);
	for (size_t i = 0; i < STACK_PARTS_COUNT; i++)
		stack_part_deinit(&merger->parts[i]);
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

static void prepare_worker(void *context, size_t index)
{
	struct stack_merger *merger = context;

	resolved_renumber(merger->workers[index],
			  location_parts_collect(&merger->locations, index));
	hashed_stacks_set(&merger->hashed[index], merger->workers[index]);
}

static void fill_part(void *context, size_t index)
{
	struct stack_merger *merger = context;

	for (size_t i = 0; i < merger->worker_count; i++)
		stack_part_add(&merger->parts[index], (uint32_t)index, &merger->hashed[i]);
}

static void merge(struct stack_merger *merger)
{
	merger->has_parts = true;
	number_locations(merger);
	workers_run(merger->thread_count, merger->worker_count, prepare_worker, merger);
	workers_run(merger->thread_count, STACK_PARTS_COUNT, fill_part, merger);
	for (size_t i = 0; i < merger->worker_count; i++) {
		struct resolved *resolved = merger->workers[i];

		resolved->callers.count = resolved->stacks.count = resolved->frames.count = 0;
	}
}

void stack_merger_merge(struct stack_merger *merger, size_t size_bytes)
{
	size_t total_bytes = 0;

	for (size_t i = 0; i < merger->worker_count; i++)
		total_bytes += resolved_size_bytes(merger->workers[i]);
	if (total_bytes >= size_bytes)
		merge(merger);
}

static void take_worker(void *context, size_t index)
{
	struct stack_merger *merger = context;
	struct resolved *resolved = merger->workers[index];
	struct location_list *ids = location_parts_collect(&merger->locations, index);

	for (size_t i = 0; i < ids->count; i++)
		ids->at[i] = merger->renumbered[ids->at[i].i];
	resolved_renumber(resolved, ids);
	merger->lists[index] = *resolved;
	resolved_init(resolved);
}

static void take_part(void *context, size_t index)
{
	struct stack_merger *merger = context;

	stack_part_take(&merger->parts[index], merger->renumbered, &merger->lists[index]);
}

size_t stack_merger_take(struct stack_merger *merger, struct locations *locations,
			 struct resolved *lists)
{
	size_t count;

	/* There are not enough lists for the stacks of more workers. */
	if (merger->has_parts || merger->worker_count > STACK_PARTS_COUNT)
		merge(merger);
	else
		number_locations(merger);
	count = merger->has_parts ? STACK_PARTS_COUNT : merger->worker_count;
	/* The places are also in the parts. */
	for (size_t i = 0; i < merger->worker_count; i++) {
		places_deinit(&merger->workers[i]->places);
		places_init(&merger->workers[i]->places);
	}
	merger->lists = lists;
	merger->renumbered =
		location_parts_take(&merger->locations, locations, merger->thread_count);
	workers_run(merger->thread_count, count, merger->has_parts ? take_part : take_worker,
		    merger);
	memory_free(merger->renumbered);
	for (size_t i = 0; i < merger->worker_count; i++) {
		resolved_clear(merger->workers[i]);
		hashed_stacks_deinit(&merger->hashed[i]);
	}
	location_parts_deinit(&merger->locations);
	return count;
}
