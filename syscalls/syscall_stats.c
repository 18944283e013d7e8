/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_stats.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/quantile.h"

static const char *const key_names[] = {
	[SYSCALL_KEY_NAME] = "syscall", [SYSCALL_KEY_THREAD] = "thread",
	[SYSCALL_KEY_COMM] = "comm",    [SYSCALL_KEY_PROCESS] = "process",
	[SYSCALL_KEY_ERROR] = "error",
};

static bool add_key(struct text word, struct syscall_keys *keys, struct error *err)
{
	for (uint32_t key = 0; key < SYSCALL_KEY_COUNT; key++) {
		if (!text_is(word, key_names[key]))
			continue;
		for (uint32_t i = 0; i < keys->count; i++)
			if (keys->at[i] == key)
				return error_set(err, ERROR_USAGE, "--by names %s twice",
						 key_names[key]);
		keys->at[keys->count++] = (enum syscall_key)key;
		return true;
	}
	return error_set(err, ERROR_USAGE,
			 "--by must be a list of syscall, thread, comm, process and error, not "
			 "\"%.*s\"",
			 (int)word.length, word.at);
}

bool syscall_keys_parse(const char *text, struct syscall_keys *ret, struct error *err)
{
	ret->count = 0;
	for (const char *at = text;;) {
		size_t length = strcspn(at, ",");

		if (!add_key((struct text){ at, (uint32_t)length }, ret, err))
			return false;
		if (!at[length])
			return true;
		at += length + 1;
	}
}

void syscall_stats_init(struct syscall_stats *stats, const struct syscall_keys *keys)
{
	*stats = (struct syscall_stats){ .keys = *keys };
	idtable_init(&stats->thread_table);
	idtable_init(&stats->row_table);
}

void syscall_stats_deinit(struct syscall_stats *stats)
{
	for (size_t i = 0; i < stats->rows.count; i++)
		vec_free(&stats->rows.at[i].durations_ns);
	vec_free(&stats->rows);
	idtable_deinit(&stats->row_table);
	vec_free(&stats->threads);
	idtable_deinit(&stats->thread_table);
}

uint32_t syscall_stats_thread(struct syscall_stats *stats, uint32_t tid)
{
	uint64_t hash = hash_pair(tid, 0);
	struct idtable_probe probe = idtable_find(&stats->thread_table, hash);
	uint32_t id;

	while ((id = idtable_next(&stats->thread_table, &probe)) != IDTABLE_NONE)
		if (stats->threads.at[id].tid == tid)
			return id;
	id = (uint32_t)stats->threads.count;
	vec_push(&stats->threads, (struct syscall_thread){ .tid = tid,
							   .pid = tid,
							   .is_selected = true,
							   .is_unknown = tid == SYSCALL_NO_TID });
	idtable_add(&stats->thread_table, hash, id);
	return id;
}

/* Returns the row with these values, and adds it if it is new. */
static struct syscall_row *find_row(struct syscall_stats *stats, const uint32_t *values,
				    uint32_t thread)
{
	size_t size_bytes = sizeof(*values) * stats->keys.count;
	struct syscall_row row = { .thread = thread };
	struct idtable_probe probe;
	uint64_t hash = 0;
	uint32_t id;

	for (uint32_t i = 0; i < stats->keys.count; i++)
		hash = hash_pair(hash, values[i]);
	probe = idtable_find(&stats->row_table, hash);
	while ((id = idtable_next(&stats->row_table, &probe)) != IDTABLE_NONE)
		if (memcmp(stats->rows.at[id].values, values, size_bytes) == 0)
			return &stats->rows.at[id];
	id = (uint32_t)stats->rows.count;
	memcpy(row.values, values, size_bytes);
	vec_push(&stats->rows, row);
	idtable_add(&stats->row_table, hash, id);
	return &stats->rows.at[id];
}

static struct syscall_row *row_for(struct syscall_stats *stats, uint32_t index, uint32_t name,
				   uint32_t error)
{
	const struct syscall_thread *thread = &stats->threads.at[index];
	const uint32_t by_key[] = {
		[SYSCALL_KEY_NAME] = name,           [SYSCALL_KEY_THREAD] = index,
		[SYSCALL_KEY_COMM] = thread->comm.i, [SYSCALL_KEY_PROCESS] = thread->pid,
		[SYSCALL_KEY_ERROR] = error,
	};
	uint32_t values[SYSCALL_KEY_COUNT];

	for (uint32_t i = 0; i < stats->keys.count; i++)
		values[i] = by_key[stats->keys.at[i]];
	return find_row(stats, values, index);
}

static bool is_selected(const struct syscall_stats *stats, const struct syscall_thread *thread,
			uint64_t begin_ns, uint16_t cpu)
{
	bool is_on_cpu = !stats->cpus || !stats->cpus->count ||
			 (cpu && selection_has_number(stats->cpus, cpu - 1u));

	return thread->is_selected && is_on_cpu && time_windows_has(stats->windows, begin_ns);
}

/* A counted call: from one record, or from the records of its entry and its exit. */
struct returned_call {
	uint64_t begin_ns;
	uint64_t duration_ns; /* SYSCALL_NO_DURATION: not known */
	uint32_t name;
	uint16_t cpu, error;
	bool has_time;
};

static void add_call(struct syscall_stats *stats, uint32_t index, const struct returned_call *call)
{
	struct syscall_thread *thread = &stats->threads.at[index];
	struct syscall_row *row;

	if (!is_selected(stats, thread, call->begin_ns, call->cpu))
		return;
	row = row_for(stats, index, call->name, call->error);
	stats->thread_count += !thread->call_count++;
	stats->call_count++;
	stats->error_count += call->error != 0;
	row->call_count++;
	row->error_count += call->error != 0;
	if (call->duration_ns == SYSCALL_NO_DURATION)
		return;
	stats->total_ns = saturate_add(stats->total_ns, call->duration_ns);
	row->total_ns = saturate_add(row->total_ns, call->duration_ns);
	row->timed_count++;
	stats->timed_count++;
	vec_push(&row->durations_ns, call->duration_ns);
	if (call->duration_ns > row->longest_ns || !row->has_longest) {
		row->has_longest = true;
		row->longest_ns = call->duration_ns;
		row->has_longest_at = call->has_time;
		row->longest_at_ns = call->begin_ns;
	}
}

static void enter(struct syscall_stats *stats, uint32_t index, const struct syscall_record *record)
{
	struct syscall_thread *thread = &stats->threads.at[index];
	bool is_counted = is_selected(stats, thread, record->time_ns, record->cpu);

	if (thread->is_open)
		stats->doubts.without_exit_count +=
			is_selected(stats, thread, thread->entry.time_ns, thread->entry.cpu);
	stats->doubts.reused_count += thread->has_exited && thread->is_selected;
	thread->has_exited =
		record->name == stats->exit_name.i || record->name == stats->exit_group_name.i;
	thread->is_open = !thread->has_exited;
	thread->entry = *record;
	if (stats->has_exits || !is_counted)
		return;
	/* The capture has no exits, so entries are counted. */
	thread->is_open = false;
	stats->doubts.without_duration_count++;
	add_call(stats, index,
		 &(struct returned_call){ record->time_ns, SYSCALL_NO_DURATION, record->name,
					  record->cpu, 0, record->has_time });
}

/* Handles an exit that does not belong to an open call. */
static void leave_unknown(struct syscall_stats *stats, uint32_t index,
			  const struct syscall_record *record)
{
	struct syscall_thread *thread = &stats->threads.at[index];
	bool has_duration = record->duration_ns != SYSCALL_NO_DURATION;

	if (thread->is_open)
		stats->doubts.without_exit_count +=
			is_selected(stats, thread, thread->entry.time_ns, thread->entry.cpu);
	thread->is_open = thread->has_exited = false;
	if (!has_duration && is_selected(stats, thread, record->time_ns, record->cpu))
		*(stats->has_enters ? &stats->doubts.without_enter_count
				    : &stats->doubts.without_duration_count) += 1;
	add_call(stats, index,
		 &(struct returned_call){
			 .begin_ns = has_duration && record->duration_ns < record->time_ns
					     ? record->time_ns - record->duration_ns
					     : record->time_ns,
			 .duration_ns = record->duration_ns,
			 .name = record->name,
			 .cpu = record->cpu,
			 .error = record->error,
			 .has_time = record->has_time,
		 });
}

static void leave(struct syscall_stats *stats, uint32_t index, const struct syscall_record *record)
{
	struct syscall_thread *thread = &stats->threads.at[index];
	const struct syscall_record *entry = &thread->entry;
	bool is_signal_return = record->number == SYSCALL_NO_NUMBER;
	uint64_t duration_ns = record->duration_ns;

	if (is_signal_return && !thread->is_open)
		return;
	if (!thread->is_open ||
	    (entry->number != record->number && entry->name != record->name && !is_signal_return)) {
		leave_unknown(stats, index, record);
		return;
	}
	if (duration_ns == SYSCALL_NO_DURATION && !stats->is_text)
		duration_ns = record->time_ns - entry->time_ns;
	stats->doubts.without_duration_count +=
		duration_ns == SYSCALL_NO_DURATION &&
		is_selected(stats, thread, entry->time_ns, entry->cpu);
	thread->is_open = false;
	add_call(stats, index,
		 &(struct returned_call){
			 .begin_ns = entry->time_ns,
			 .duration_ns = duration_ns,
			 .name = entry->name,
			 .cpu = entry->cpu,
			 .error = is_signal_return ? 0 : record->error,
			 .has_time = entry->has_time,
		 });
}

void syscall_stats_add(struct syscall_stats *stats, const struct syscall_record *record)
{
	uint32_t index = syscall_stats_thread(stats, record->tid);

	switch ((enum syscall_phase)record->phase) {
	case SYSCALL_ENTER:
		enter(stats, index, record);
		break;
	case SYSCALL_EXIT:
		leave(stats, index, record);
		break;
	case SYSCALL_WHOLE:
		stats->doubts.without_duration_count +=
			record->duration_ns == SYSCALL_NO_DURATION &&
			is_selected(stats, &stats->threads.at[index], record->time_ns, record->cpu);
		add_call(stats, index,
			 &(struct returned_call){ record->time_ns, record->duration_ns,
						  record->name, record->cpu, record->error,
						  record->has_time });
		break;
	case SYSCALL_NONE:
		break;
	}
}

void syscall_stats_add_sum(struct syscall_stats *stats, const struct syscall_sum *sum)
{
	uint32_t index = syscall_stats_thread(stats, sum->tid);
	struct syscall_thread *thread = &stats->threads.at[index];
	struct syscall_row *row;

	if (!is_selected(stats, thread, 0, 0))
		return;
	row = row_for(stats, index, sum->name, 0);
	stats->thread_count += !thread->call_count;
	thread->call_count = saturate_add(thread->call_count, sum->call_count);
	stats->call_count = saturate_add(stats->call_count, sum->call_count);
	stats->error_count = saturate_add(stats->error_count, sum->error_count);
	row->call_count = saturate_add(row->call_count, sum->call_count);
	row->error_count = saturate_add(row->error_count, sum->error_count);
	if (sum->total_ns == SYSCALL_NO_DURATION)
		return;
	stats->total_ns = saturate_add(stats->total_ns, sum->total_ns);
	stats->timed_count = saturate_add(stats->timed_count, sum->call_count);
	row->timed_count = saturate_add(row->timed_count, sum->call_count);
	row->total_ns = saturate_add(row->total_ns, sum->total_ns);
	row->has_longest |= sum->longest_ns != 0;
	if (sum->longest_ns > row->longest_ns)
		row->longest_ns = sum->longest_ns;
}

static int compare_rows(const void *a, const void *b)
{
	const struct syscall_row *left = a;
	const struct syscall_row *right = b;

	if (left->total_ns != right->total_ns)
		return left->total_ns > right->total_ns ? -1 : 1;
	if (left->call_count != right->call_count)
		return left->call_count > right->call_count ? -1 : 1;
	for (size_t i = 0; i < ARRAY_SIZE(left->values); i++)
		if (left->values[i] != right->values[i])
			return left->values[i] < right->values[i] ? -1 : 1;
	return 0;
}

static void count_open(struct syscall_stats *stats)
{
	struct syscall_doubts *doubts = &stats->doubts;

	for (size_t i = 0; i < stats->threads.count; i++) {
		const struct syscall_thread *thread = &stats->threads.at[i];
		uint64_t open_ns = thread->entry.has_time && stats->last_ns > thread->entry.time_ns
					   ? stats->last_ns - thread->entry.time_ns
					   : 0;

		if (!thread->is_open ||
		    !is_selected(stats, thread, thread->entry.time_ns, thread->entry.cpu))
			continue;
		if (!doubts->open_count++ || open_ns > doubts->longest_open_ns) {
			doubts->longest_open_ns = open_ns;
			doubts->longest_open_name = thread->entry.name;
		}
	}
}

void syscall_stats_finish(struct syscall_stats *stats)
{
	count_open(stats);
	for (size_t i = 0; i < stats->rows.count; i++)
		quantile_sort(stats->rows.at[i].durations_ns.at,
			      stats->rows.at[i].durations_ns.count);
	if (stats->rows.count > 1)
		qsort(stats->rows.at, stats->rows.count, sizeof(*stats->rows.at), compare_rows);
}
