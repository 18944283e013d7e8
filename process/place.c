/* SPDX-License-Identifier: MIT */
#include "process/place.h"

#include "base/hash.h"

/* The number of places that are looked up together. */
#define BATCH 64

void places_init(struct places *places)
{
	*places = (struct places){ 0 };
	idtable_init(&places->table);
}

void places_deinit(struct places *places)
{
	idtable_deinit(&places->table);
	vec_free(&places->rows);
}

uint64_t place_hash(const struct place *place)
{
	return hash_pair(place->address, place_kind(place));
}

static uint32_t intern(struct places *places, const struct place *wanted, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&places->table, hash);
	uint32_t number;

	while ((number = idtable_next(&places->table, &probe)) != IDTABLE_NONE) {
		const struct place *row = &places->rows.at[number];

		if (row->address == wanted->address && row->module.i == wanted->module.i &&
		    row->is_return == wanted->is_return)
			return number;
	}
	number = (uint32_t)places->rows.count;
	vec_push(&places->rows, *wanted);
	idtable_add(&places->table, hash, number);
	return number;
}

uint32_t places_intern(struct places *places, const struct place *wanted)
{
	return intern(places, wanted, place_hash(wanted));
}

static void intern_batch(struct places *places, const struct place *wanted, size_t count,
			 uint32_t *numbers)
{
	uint64_t hashes[BATCH];

	for (size_t i = 0; i < count; i++) {
		hashes[i] = place_hash(&wanted[i]);
		idtable_prefetch(&places->table, hashes[i]);
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t number = idtable_guess(&places->table, hashes[i]);

		if (number != IDTABLE_NONE)
			__builtin_prefetch(&places->rows.at[number]);
	}
	for (size_t i = 0; i < count; i++)
		numbers[i] = intern(places, &wanted[i], hashes[i]);
}

void places_intern_all(struct places *places, const struct place *wanted, size_t count,
		       uint32_t *numbers)
{
	for (size_t i = 0; i < count; i += BATCH)
		intern_batch(places, wanted + i, count - i < BATCH ? count - i : BATCH,
			     numbers + i);
}
