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

/* While a location is looked up, the slot of a later one is fetched. */
#define JOINED_AHEAD 8

/* The module, and whether the address is a return address. */
static uint64_t kind_of(module_id module, bool is_return)
{
	return (uint64_t)module.i << 1 | is_return;
}

static uint64_t hash_of(const struct location *row)
{
	return hash_pair(row->address, kind_of(row->module, row->is_return));
}

location_id locations_intern(struct locations *locations, module_id module, uint64_t address,
			     bool is_return)
{
	uint64_t hash = hash_pair(address, kind_of(module, is_return));
	struct idtable_probe probe = idtable_find(&locations->table, hash);
	uint32_t id;

	while ((id = idtable_next(&locations->table, &probe)) != IDTABLE_NONE) {
		const struct location *row = &locations->rows.at[id];

		if (row->address == address && row->module.i == module.i &&
		    row->is_return == is_return)
			return (location_id){ id };
	}
	id = (uint32_t)locations->rows.count;
	vec_push(&locations->rows, (struct location){
					   .module = module,
					   .address = address,
					   .is_return = is_return,
				   });
	idtable_add(&locations->table, hash, id);
	return (location_id){ id };
}

void locations_join(struct locations *all, const struct locations *from, struct location_list *ids)
{
	vec_reserve(ids, from->rows.count);
	while (ids->count < from->rows.count) {
		const struct location *row = &from->rows.at[ids->count];

		if (ids->count + JOINED_AHEAD < from->rows.count)
			idtable_prefetch(&all->table, hash_of(&row[JOINED_AHEAD]));
		vec_push(ids, locations_intern(all, row->module, row->address, row->is_return));
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
