/* SPDX-License-Identifier: MIT */
/*
 * Maps hashes to ids, by open addressing over (hash, id) slots. The owner stores and compares the
 * keys. The table itself contains no keys, so growing the table neither moves nor reads keys.
 *
 *     struct idtable_probe probe = idtable_find(&table, hash);
 *     uint32_t id;
 *     while ((id = idtable_next(&table, &probe)) != IDTABLE_NONE)
 *             if (key of id equals mine)
 *                     return id;
 *     idtable_add(&table, hash, my new id);
 */
#ifndef BASE_IDTABLE_H
#define BASE_IDTABLE_H

#include <stddef.h>
#include <stdint.h>

#define IDTABLE_NONE UINT32_MAX

struct idtable_slot {
	uint32_t hash;
	uint32_t id;
};

struct idtable {
	struct idtable_slot *slots; /* NULL until the first id is added */
	size_t mask;                /* number of slots - 1 */
	size_t count;
};

struct idtable_probe {
	size_t index;
	uint32_t hash;
};

void idtable_init(struct idtable *table);
void idtable_deinit(struct idtable *table);

/* Removes all ids, but keeps the memory. */
void idtable_clear(struct idtable *table);

/* Adds an id. The caller must have checked that the table has no equal key. */
void idtable_add(struct idtable *table, uint64_t hash, uint32_t id);

/* Replaces an id that was added with this hash. */
void idtable_replace(struct idtable *table, uint64_t hash, uint32_t id, uint32_t replacement);

/* Half of the hash suffices: a wrong candidate only costs the owner one comparison. */
static inline uint32_t idtable_fold(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

static inline struct idtable_probe idtable_find(const struct idtable *table, uint64_t hash)
{
	uint32_t folded = idtable_fold(hash);

	return (struct idtable_probe){ .index = folded & table->mask, .hash = folded };
}

/*
 * Prefetches the slots that idtable_find will read. Call idtable_prefetch some time before
 * idtable_find.
 */
static inline void idtable_prefetch(const struct idtable *table, uint64_t hash)
{
	if (table->slots)
		__builtin_prefetch(&table->slots[idtable_fold(hash) & table->mask]);
}

/* The next id with the same hash, or IDTABLE_NONE. The caller must compare the key. */
static inline uint32_t idtable_next(const struct idtable *table, struct idtable_probe *probe)
{
	if (!table->slots)
		return IDTABLE_NONE;
	for (;;) {
		const struct idtable_slot *slot = &table->slots[probe->index];

		if (slot->id == IDTABLE_NONE)
			return IDTABLE_NONE;
		probe->index = (probe->index + 1) & table->mask;
		if (slot->hash == probe->hash)
			return slot->id;
	}
}

/* The first id with this hash, which is almost always the right one, or IDTABLE_NONE. */
static inline uint32_t idtable_guess(const struct idtable *table, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(table, hash);

	return idtable_next(table, &probe);
}

#endif
