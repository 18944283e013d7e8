/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_threads.h"

#include "base/hash.h"
#include "offcpu/wakers.h"

void pairing_threads_init(struct pairing_threads *threads)
{
	*threads = (struct pairing_threads){ .rows = { 0 } };
	idtable_init(&threads->table);
}

void pairing_threads_deinit(struct pairing_threads *threads)
{
	idtable_deinit(&threads->table);
	vec_free(&threads->rows);
}

static struct thread_state new_thread(uint64_t key)
{
	return (struct thread_state){ .key = key, .wake = WAKE_NONE, .last_wake = WAKE_NONE };
}

uint32_t pairing_threads_add(struct pairing_threads *threads, uint64_t key)
{
	uint64_t hash = hash_u64(key);
	struct idtable_probe probe = idtable_find(&threads->table, hash);
	uint32_t id;

	while ((id = idtable_next(&threads->table, &probe)) != IDTABLE_NONE)
		if (threads->rows.at[id].key == key)
			return id;
	id = (uint32_t)threads->rows.count;
	idtable_add(&threads->table, hash, id);
	vec_push(&threads->rows, new_thread(key));
	return id;
}

void pairing_threads_end(struct pairing_threads *threads, uint64_t key, bool keeps_number)
{
	struct thread_state *thread = pairing_threads_find(threads, key);
	uint32_t number = (uint32_t)(thread - threads->rows.at);

	if (!keeps_number) {
		*thread = new_thread(key);
		thread->has_reused_tid = true;
		return;
	}
	thread->key |= KEY_GONE;
	thread->is_open = false;
	idtable_replace(&threads->table, hash_u64(key), number, (uint32_t)threads->rows.count);
	vec_push(&threads->rows, new_thread(key));
	threads->rows.at[threads->rows.count - 1].has_reused_tid = true;
}
