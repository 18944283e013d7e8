/* SPDX-License-Identifier: MIT */
#include "offcpu/thread_table.h"

#include "base/hash.h"

void thread_table_init(struct thread_table *table)
{
	*table = (struct thread_table){ 0 };
	(void)thread_table_look_up(table, 0);
}

void thread_table_deinit(struct thread_table *table)
{
	vec_free(&table->tids);
	idtable_deinit(&table->table);
}

uint32_t thread_table_find(const struct thread_table *table, uint32_t tid)
{
	struct idtable_probe probe = idtable_find(&table->table, hash_u64(tid));
	uint32_t index;

	while ((index = idtable_next(&table->table, &probe)) != IDTABLE_NONE)
		if (table->tids.at[index] == tid)
			return index;
	return THREAD_TABLE_NONE;
}

uint32_t thread_table_look_up(struct thread_table *table, uint32_t tid)
{
	uint32_t index = thread_table_find(table, tid);

	if (index != THREAD_TABLE_NONE)
		return index;
	index = (uint32_t)table->tids.count;
	vec_push(&table->tids, tid);
	idtable_add(&table->table, hash_u64(tid), index);
	return index;
}
