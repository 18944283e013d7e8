/* SPDX-License-Identifier: MIT */
/*
 * Numbers threads in the order of their first use, so that what is known of them can be kept in arrays:
 *
 *     tid    0   4711   12
 *     index  0   1      2
 *
 * The idle tasks of all CPUs have tid 0 and index 0.
 */
#ifndef OFFCPU_THREAD_TABLE_H
#define OFFCPU_THREAD_TABLE_H

#include "base/idtable.h"
#include "base/vec.h"

#define THREAD_TABLE_RECENT 512u

struct thread_table {
	VEC(uint32_t) tids; /* by index */
	struct idtable table;
	/*
	 * The latest thread with the same lowest bits of the tid. Initially, all entries are 0,
	 * which is correct, because thread 0 has index 0.
	 */
	struct {
		uint32_t tid, index;
	} recent[THREAD_TABLE_RECENT];
};

void thread_table_init(struct thread_table *table);
void thread_table_deinit(struct thread_table *table);

#define THREAD_TABLE_NONE IDTABLE_NONE

/* Returns the index of a thread, or THREAD_TABLE_NONE if the table does not have it. */
uint32_t thread_table_find(const struct thread_table *table, uint32_t tid);

/* Returns the index of a thread that is not in table->recent; adds the thread if it is new. */
uint32_t thread_table_look_up(struct thread_table *table, uint32_t tid);

/* Returns the index of a thread; adds the thread if it is new. */
static inline uint32_t thread_table_index(struct thread_table *table, uint32_t tid)
{
	uint32_t slot = tid % THREAD_TABLE_RECENT;

	if (table->recent[slot].tid != tid) {
		table->recent[slot].index = thread_table_look_up(table, tid);
		table->recent[slot].tid = tid;
	}
	return table->recent[slot].index;
}

#endif
