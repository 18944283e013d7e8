/* SPDX-License-Identifier: MIT */
#include "profile/location.h"

#include "base/hash.h"
#include "base/key_sort.h"

void locations_init(struct locations *locations)
{
	*locations = (struct locations){ 0 };
	idtable_init(&locations->table);
}

void locations_deinit(struct locations *locations)
{
	idtable_deinit(&locations->table);
	vec_free(&locations->rows);
	vec_free(&locations->inlined);
}

/* The number of locations that are looked up together, so that their cache misses overlap. */
#define BATCH 64

/* The module, and whether the address is a return address. */
static uint64_t kind_of(module_id module, bool is_return)
{
	return (uint64_t)module.i << 1 | is_return;
}

static uint64_t hash_of(const struct location_place *place)
{
	return hash_pair(place->address, kind_of(place->module, place->is_return));
}

static location_id intern(struct locations *locations, const struct location_place *place,
			  uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&locations->table, hash);
	uint32_t id;

	while ((id = idtable_next(&locations->table, &probe)) != IDTABLE_NONE) {
		const struct location *row = &locations->rows.at[id];

		if (row->address == place->address && row->module.i == place->module.i &&
		    row->is_return == place->is_return)
			return (location_id){ id };
	}
	id = (uint32_t)locations->rows.count;
	vec_push(&locations->rows, (struct location){
					   .module = place->module,
					   .address = place->address,
					   .is_return = place->is_return,
				   });
	idtable_add(&locations->table, hash, id);
	return (location_id){ id };
}

location_id locations_intern(struct locations *locations, module_id module, uint64_t address,
			     bool is_return)
{
	struct location_place place = {
		.module = module,
		.address = address,
		.is_return = is_return,
	};

	return intern(locations, &place, hash_of(&place));
}

static void intern_batch(struct locations *locations, const struct location_place *places,
			 size_t count, location_id *ids)
{
	uint64_t hashes[BATCH];

	for (size_t i = 0; i < count; i++) {
		hashes[i] = hash_of(&places[i]);
		idtable_prefetch(&locations->table, hashes[i]);
	}
	for (size_t i = 0; i < count; i++) {
		struct idtable_probe probe = idtable_find(&locations->table, hashes[i]);
		uint32_t id = idtable_next(&locations->table, &probe);

		if (id != IDTABLE_NONE)
			__builtin_prefetch(&locations->rows.at[id]);
	}
	for (size_t i = 0; i < count; i++)
		ids[i] = intern(locations, &places[i], hashes[i]);
}

void locations_intern_all(struct locations *locations, const struct location_place *places,
			  size_t count, location_id *ids)
{
	for (size_t i = 0; i < count; i += BATCH)
		intern_batch(locations, places + i, count - i < BATCH ? count - i : BATCH, ids + i);
}

void locations_join(struct locations *all, const struct locations *from, struct location_list *ids)
{
	struct location_place places[BATCH];

	vec_reserve(ids, from->rows.count);
	while (ids->count < from->rows.count) {
		size_t count = 0;

		for (; count < BATCH && ids->count + count < from->rows.count; count++) {
			const struct location *row = &from->rows.at[ids->count + count];

			places[count] = (struct location_place){
				.module = row->module,
				.address = row->address,
				.is_return = row->is_return,
			};
		}
		intern_batch(all, places, count, ids->at + ids->count);
		ids->count += count;
	}
}

/* Moves row order[i].row to i, for all i. The order is lost. */
static void permute(struct location *rows, struct key_row *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct location first = rows[i];
		size_t at = i;

		while (order[at].row != i) {
			size_t next = order[at].row;

			rows[at] = rows[next];
			order[at].row = (uint32_t)at;
			at = next;
		}
		rows[at] = first;
		order[at].row = (uint32_t)at;
	}
}

location_id *locations_sort(struct locations *locations)
{
	size_t count = locations->rows.count;
	struct key_row *order = memory_alloc(count, sizeof(*order));
	location_id *ids = memory_alloc(count, sizeof(*ids));

	for (size_t i = 0; i < count; i++)
		order[i] = (struct key_row){ locations->rows.at[i].address, (uint32_t)i };
	key_sort(order, count);
	for (size_t i = 0; i < count; i++) {
		const struct location *row = &locations->rows.at[order[i].row];

		order[i].key = kind_of(row->module, row->is_return);
	}
	key_sort(order, count);
	for (size_t i = 0; i < count; i++)
		ids[order[i].row].i = (uint32_t)i;
	permute(locations->rows.at, order, count);
	for (size_t i = 0; locations->table.slots && i <= locations->table.mask; i++) {
		struct idtable_slot *slot = &locations->table.slots[i];

		if (slot->id != IDTABLE_NONE)
			slot->id = ids[slot->id].i;
	}
	memory_free(order);
	return ids;
}
