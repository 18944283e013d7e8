/* SPDX-License-Identifier: MIT */
#include "base/idtable.h"

#include "base/memory.h"

#define SLOTS_MIN 64

void idtable_init(struct idtable *table)
{
	*table = (struct idtable){ 0 };
}

void idtable_deinit(struct idtable *table)
{
	memory_free(table->slots);
	idtable_init(table);
}

void idtable_clear(struct idtable *table)
{
	if (table->slots)
		memset(table->slots, 0xff, (table->mask + 1) * sizeof(*table->slots));
	table->count = 0;
}

static void place(struct idtable *table, struct idtable_slot slot)
{
	size_t index = slot.hash & table->mask;

	while (table->slots[index].id != IDTABLE_NONE)
		index = (index + 1) & table->mask;
	table->slots[index] = slot;
}

static void grow(struct idtable *table)
{
	struct idtable_slot *old = table->slots;
	size_t old_count = old ? table->mask + 1 : 0;
	size_t new_count = old ? old_count * 2 : SLOTS_MIN;

	table->slots = memory_alloc(new_count, sizeof(*table->slots));
	memset(table->slots, 0xff, new_count * sizeof(*table->slots));
	table->mask = new_count - 1;
	for (size_t i = 0; i < old_count; i++)
		if (old[i].id != IDTABLE_NONE)
			place(table, old[i]);
	memory_free(old);
}

void idtable_add(struct idtable *table, uint64_t hash, uint32_t id)
{
	/* The table is at most two thirds full, so that probe sequences stay short. */
	if (!table->slots || (table->count + 1) * 3 > (table->mask + 1) * 2)
		grow(table);
	place(table, (struct idtable_slot){ .hash = idtable_fold(hash), .id = id });
	table->count++;
}

void idtable_replace(struct idtable *table, uint64_t hash, uint32_t id, uint32_t replacement)
{
	size_t index = idtable_fold(hash) & table->mask;

	while (table->slots[index].id != id)
		index = (index + 1) & table->mask;
	table->slots[index].id = replacement;
}
