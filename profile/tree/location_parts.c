/* SPDX-License-Identifier: MIT */
#include "profile/tree/location_parts.h"

#include "base/key_sort.h"
#include "base/memory.h"
#include "base/workers.h"

/* The number of places that are looked up together. */
#define BATCH 64

/* Locations are sorted in this many tasks. */
#define TASK_COUNT 16

void location_parts_init(struct location_parts *parts, size_t worker_count)
{
	*parts = (struct location_parts){
		.workers = memory_zalloc(worker_count, sizeof(*parts->workers)),
		.worker_count = worker_count,
	};
	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++)
		places_init(&parts->at[i].places);
}

void location_parts_deinit(struct location_parts *parts)
{
	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++) {
		places_deinit(&parts->at[i].places);
		vec_free(&parts->at[i].rows);
	}
	for (size_t i = 0; i < parts->worker_count; i++) {
		vec_free(&parts->workers[i].ids);
		vec_free(&parts->workers[i].parts);
	}
	memory_free(parts->workers);
	*parts = (struct location_parts){ 0 };
}

void location_parts_divide(struct location_parts *parts, size_t worker, const struct places *own)
{
	struct location_worker *row = &parts->workers[worker];

	row->own = own;
	row->parts.count = 0;
	vec_reserve(&row->parts, own->rows.count - row->ids.count);
	for (size_t i = row->ids.count; i < own->rows.count; i++)
		vec_push(&row->parts, place_hash(&own->rows.at[i]) % LOCATION_PARTS_COUNT);
}

static void number_places(struct location_part *part, const struct place *wanted, size_t count)
{
	if (!count)
		return;
	vec_reserve(&part->rows, part->rows.count + count);
	places_intern_all(&part->places, wanted, count, part->rows.at + part->rows.count);
	part->rows.count += count;
}

void location_parts_number(struct location_parts *parts, size_t index)
{
	struct location_part *part = &parts->at[index];
	struct place wanted[BATCH];

	part->rows.count = 0;
	for (size_t i = 0; i < parts->worker_count; i++) {
		struct location_worker *worker = &parts->workers[i];
		size_t count = 0;

		worker->firsts[index] = part->rows.count;
		for (size_t k = 0; k < worker->parts.count; k++) {
			if (worker->parts.at[k] != index)
				continue;
			wanted[count++] = worker->own->rows.at[worker->ids.count + k];
			if (count == BATCH) {
				number_places(part, wanted, count);
				count = 0;
			}
		}
		number_places(part, wanted, count);
	}
}

struct location_list *location_parts_collect(struct location_parts *parts, size_t worker)
{
	struct location_worker *row = &parts->workers[worker];

	vec_reserve(&row->ids, row->ids.count + row->parts.count);
	for (size_t i = 0; i < row->parts.count; i++) {
		uint32_t part = row->parts.at[i];
		uint32_t number = parts->at[part].rows.at[row->firsts[part]++];

		vec_push(&row->ids, (location_id){ number * LOCATION_PARTS_COUNT + part });
	}
	row->parts.count = 0;
	return &row->ids;
}

/* Sorts all places: first by kind, then, in parallel, the places of each kind by address. */
struct taking {
	struct key_row *order; /* by kind; key: address, row: common id */
	size_t *ends;          /* by kind, in order */
	size_t kind_count, count;
	struct locations *locations;
	location_id *ids;
};

static size_t section_begin(const struct taking *taking, size_t index)
{
	return taking->count * index / TASK_COUNT;
}

/* Sorts the kinds that begin in one section of all places. */
static void sort_section(void *context, size_t index)
{
	const struct taking *taking = context;
	size_t begin = section_begin(taking, index);
	size_t end = section_begin(taking, index + 1);
	size_t first = 0;

	for (size_t kind = 0; kind < taking->kind_count; kind++) {
		if (first >= begin && first < end)
			key_sort(taking->order + first, taking->ends[kind] - first);
		first = taking->ends[kind];
	}
}

/* Makes the rows of one section. */
static void fill_section(void *context, size_t index)
{
	const struct taking *taking = context;
	size_t end = section_begin(taking, index + 1);
	size_t kind = 0;

	for (size_t i = section_begin(taking, index); i < end; i++) {
		while (taking->ends[kind] <= i)
			kind++;
		taking->ids[taking->order[i].row].i = (uint32_t)i;
		taking->locations->rows.at[i] = (struct location){
			.module = { (uint32_t)(kind >> 1) },
			.address = taking->order[i].key,
			.is_return = kind & 1,
		};
	}
}

/* Orders all places by kind. */
static void group_by_kind(const struct location_parts *parts, struct taking *taking)
{
	size_t first = 0;

	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++)
		for (size_t k = 0; k < parts->at[i].places.rows.count; k++)
			taking->ends[place_kind(&parts->at[i].places.rows.at[k])]++;
	for (size_t kind = 0; kind < taking->kind_count; kind++) {
		size_t count = taking->ends[kind];

		taking->ends[kind] = first;
		first += count;
	}
	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++)
		for (size_t k = 0; k < parts->at[i].places.rows.count; k++) {
			const struct place *place = &parts->at[i].places.rows.at[k];

			taking->order[taking->ends[place_kind(place)]++] = (struct key_row){
				.key = place->address,
				.row = (uint32_t)(k * LOCATION_PARTS_COUNT + i),
			};
		}
}

location_id *location_parts_take(struct location_parts *parts, struct locations *locations,
				 unsigned thread_count)
{
	struct taking taking = { .locations = locations };
	size_t id_count = 0;

	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++) {
		const struct places *places = &parts->at[i].places;

		taking.count += places->rows.count;
		if (places->rows.count * LOCATION_PARTS_COUNT > id_count)
			id_count = places->rows.count * LOCATION_PARTS_COUNT;
		for (size_t k = 0; k < places->rows.count; k++)
			if (place_kind(&places->rows.at[k]) >= taking.kind_count)
				taking.kind_count = (size_t)place_kind(&places->rows.at[k]) + 1;
	}
	taking.order = memory_alloc(taking.count, sizeof(*taking.order));
	taking.ends = memory_zalloc(taking.kind_count, sizeof(*taking.ends));
	taking.ids = memory_alloc(id_count, sizeof(*taking.ids));
	group_by_kind(parts, &taking);
	vec_reserve(&locations->rows, taking.count);
	locations->rows.count = taking.count;
	workers_run(thread_count, TASK_COUNT, sort_section, &taking);
	workers_run(thread_count, TASK_COUNT, fill_section, &taking);
	memory_free(taking.order);
	memory_free(taking.ends);
	for (size_t i = 0; i < LOCATION_PARTS_COUNT; i++)
		places_deinit(&parts->at[i].places);
	return taking.ids;
}
