/* SPDX-License-Identifier: MIT */
#include "offcpu/text_threads.h"

#include "base/scan.h"
#include "libparse/event.h"

struct text_threads *text_threads_create(void)
{
	struct text_threads *threads = memory_zalloc(1, sizeof(*threads));

	thread_table_init(&threads->table);
	strings_init(&threads->strings);
	return threads;
}

void text_threads_destroy(struct text_threads *threads)
{
	if (!threads)
		return;
	thread_table_deinit(&threads->table);
	vec_free(&threads->rows);
	strings_deinit(&threads->strings);
	memory_free(threads);
}

/* "<...>" in the text of ftrace, or ":4711" in that of perf script. */
static bool is_placeholder(struct text comm, uint32_t tid)
{
	uint64_t value;

	return text_is(comm, "<...>") || (text_has_prefix(comm, ":") &&
					  text_to_u64(text_from(comm, 1), &value) && value == tid);
}

void text_threads_note(struct text_threads *threads, uint32_t pid, uint32_t tid, struct text comm)
{
	uint32_t index = thread_table_index(&threads->table, tid);
	struct text_thread *row;

	while (threads->rows.count <= index)
		vec_push(&threads->rows, (struct text_thread){ .pid = EVENT_NO_TID });
	row = &threads->rows.at[index];
	if (pid != EVENT_NO_TID)
		row->pid = pid;
	if (!comm.length || (row->comm.i != STR_EMPTY.i && is_placeholder(comm, tid)))
		return;
	if (!text_equal(strings_get(&threads->strings, row->comm), comm))
		row->comm = strings_intern(&threads->strings, comm.at, comm.length);
}

void text_threads_add(struct text_threads *threads, const struct text_threads *later)
{
	for (size_t i = 0; i < later->rows.count; i++)
		text_threads_note(threads, later->rows.at[i].pid, later->table.tids.at[i],
				  strings_get(&later->strings, later->rows.at[i].comm));
}

const struct text_thread *text_threads_find(const struct text_threads *threads, uint32_t tid)
{
	uint32_t index = thread_table_find(&threads->table, tid);

	return index < threads->rows.count ? &threads->rows.at[index] : NULL;
}
