/* SPDX-License-Identifier: MIT */
#include "offcpu/task_stats.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/quantile.h"
#include "base/workers.h"

static void free_rows(struct task_stats *stats)
{
	for (size_t i = 0; i < stats->rows.count; i++)
		vec_free(&stats->rows.at[i].delays_ns);
	vec_free(&stats->rows);
	idtable_deinit(&stats->row_table);
}

void task_stats_deinit(struct task_stats *stats)
{
	free_rows(stats);
	vec_free(&stats->threads);
	thread_table_deinit(&stats->thread_table);
}

static void forget(struct task_thread *thread)
{
	thread->last_cpu = thread->waker = thread->preemptor = thread->row = TASK_NONE;
	thread->has_exited = false;
}

void task_stats_clear(struct task_stats *stats)
{
	free_rows(stats);
	idtable_init(&stats->row_table);
	for (size_t i = 0; i < stats->threads.count; i++)
		forget(&stats->threads.at[i]);
	stats->open_delay_count = stats->reused_count = 0;
}

uint32_t task_stats_look_up(struct task_stats *stats, uint32_t tid)
{
	struct task_thread thread = { .tid = tid, .pid = tid, .is_selected = true };
	uint32_t index = thread_table_index(&stats->thread_table, tid);

	if (stats->numbered_count)
		index += stats->numbered_count - 1;
	if (index == stats->threads.count) {
		forget(&thread);
		vec_push(&stats->threads, thread);
	}
	return index;
}

void task_stats_init(struct task_stats *stats, enum task_by by)
{
	*stats = (struct task_stats){ .by = by };
	thread_table_init(&stats->thread_table);
	idtable_init(&stats->row_table);
	(void)task_stats_thread(stats, 0);
}

/* Returns the index of a row. */
static uint32_t row_of(struct task_stats *stats, uint32_t key, uint32_t other)
{
	uint64_t hash = hash_pair(key, other);
	struct idtable_probe probe = idtable_find(&stats->row_table, hash);
	uint32_t id;

	while ((id = idtable_next(&stats->row_table, &probe)) != IDTABLE_NONE)
		if (stats->rows.at[id].key == key && stats->rows.at[id].other == other)
			return id;
	id = (uint32_t)stats->rows.count;
	vec_push(&stats->rows, (struct task_row){ .key = key, .other = other });
	idtable_add(&stats->row_table, hash, id);
	return id;
}

/* Returns the name of a thread, or the sentinel of a waker that is not a thread. */
static uint32_t comm_of(const struct task_stats *stats, uint32_t thread)
{
	return thread >= TASK_SOFTIRQ ? thread : stats->threads.at[thread].comm.i;
}

static uint32_t waker_of(struct task_stats *stats, const struct schedule_interval *interval)
{
	switch (interval->waker) {
	case SCHEDULE_WAKER_THREAD:
		return task_stats_thread(stats, interval->waker_tid);
	case SCHEDULE_WAKER_SOFTIRQ:
		return TASK_SOFTIRQ;
	case SCHEDULE_WAKER_INTERRUPT:
		return TASK_INTERRUPT;
	case SCHEDULE_WAKER_UNKNOWN:
		break;
	}
	return TASK_NONE;
}

/* Returns the index of a thread's row. */
static uint32_t row_of_thread(struct task_stats *stats, uint32_t index)
{
	const struct task_thread *thread = &stats->threads.at[index];

	switch (stats->by) {
	case TASK_BY_COMM:
		return row_of(stats, thread->comm.i, TASK_NONE);
	case TASK_BY_PROCESS:
		return row_of(stats, thread->pid, thread->process.i);
	default:
		return row_of(stats, index, TASK_NONE);
	}
}

/* Returns the index of the row for which an interval of a thread counts, or TASK_NONE. */
static uint32_t row_for(struct task_stats *stats, uint32_t index,
			const struct schedule_interval *interval)
{
	struct task_thread *thread = &stats->threads.at[index];

	switch (stats->by) {
	case TASK_BY_THREAD:
	case TASK_BY_COMM:
	case TASK_BY_PROCESS:
		if (thread->row == TASK_NONE)
			thread->row = row_of_thread(stats, index);
		return thread->row;
	case TASK_BY_CPU:
		return row_of(stats, interval->cpu, TASK_NONE);
	case TASK_BY_PREEMPTION:
		if (interval->state != SCHEDULE_PREEMPTED)
			return TASK_NONE;
		return row_of(stats, thread->comm.i, comm_of(stats, thread->preemptor));
	case TASK_BY_WAKER:
		if (interval->state != SCHEDULE_RUNNABLE)
			return TASK_NONE;
		return row_of(stats, thread->comm.i, comm_of(stats, thread->waker));
	}
	return TASK_NONE;
}

static void switch_in(struct task_stats *stats, uint32_t tid)
{
	uint32_t index = task_stats_thread(stats, tid);
	struct task_thread *thread = &stats->threads.at[index];

	stats->reused_count += thread->has_exited && thread->is_selected;
	thread->has_exited = false;
}

static void switch_out(struct task_stats *stats, const struct schedule_event *event)
{
	uint32_t index = task_stats_thread(stats, event->tid);

	if (event->task_state == 'R') {
		uint32_t preemptor = event->kind == SCHEDULE_SWITCH
					     ? task_stats_thread(stats, event->next_tid)
					     : TASK_NONE;

		stats->threads.at[index].preemptor = preemptor;
	}
	if (event->task_state == 'X' || event->task_state == 'Z')
		stats->threads.at[index].has_exited = true;
}

void task_stats_on_event(struct task_stats *stats, const struct schedule_event *event)
{
	if (event->kind != SCHEDULE_SWITCH && event->kind != SCHEDULE_OUT)
		return;
	if (event->next_tid && schedule_part_has(&stats->part, event->next_tid))
		switch_in(stats, event->next_tid);
	if (event->tid && schedule_part_has(&stats->part, event->tid))
		switch_out(stats, event);
}

static void add_run(struct task_row *row, struct task_thread *thread,
		    const struct schedule_interval *interval, uint64_t part_ns)
{
	row->run_ns = saturate_add(row->run_ns, part_ns);
	row->run_count++;
	if (part_ns > row->longest_run_ns)
		row->longest_run_ns = part_ns;
	row->migration_count += thread->last_cpu != TASK_NONE && interval->cpu != thread->last_cpu;
	thread->last_cpu = interval->cpu;
}

/* Of equally long delays, the first is kept. */
static void note_longest_delay(struct task_row *row, uint64_t delay_ns, uint64_t at_ns)
{
	if (delay_ns > row->longest_delay_ns ||
	    (delay_ns == row->longest_delay_ns && at_ns < row->longest_delay_at_ns)) {
		row->longest_delay_ns = delay_ns;
		row->longest_delay_at_ns = at_ns;
	}
}

/*
 * Delays count in full in the window in which they begin, like the waits of kiln report --latency.
 */
static void add_delay(struct task_stats *stats, struct task_row *row,
		      const struct schedule_interval *interval)
{
	uint64_t delay_ns = interval->to_ns - interval->from_ns;

	if (!time_windows_has(stats->windows, interval->from_ns))
		return;
	row->preempted_count += interval->state == SCHEDULE_PREEMPTED;
	if (interval->is_open) {
		stats->open_delay_count++;
		return;
	}
	row->delay_ns = saturate_add(row->delay_ns, delay_ns);
	vec_push(&row->delays_ns, delay_ns);
	note_longest_delay(row, delay_ns, interval->from_ns);
}

void task_stats_on_interval(void *context, const struct schedule_interval *interval)
{
	struct task_stats *stats = context;
	uint32_t index = task_stats_thread(stats, interval->tid);
	uint64_t part_ns = time_windows_part(stats->windows, interval->from_ns, interval->to_ns);
	uint32_t row_index;
	struct task_row *row;

	if (interval->state == SCHEDULE_BLOCKED) {
		/* waker_of may move the array of threads. */
		uint32_t waker = waker_of(stats, interval);

		stats->threads.at[index].waker = waker;
	}
	if (!index || !stats->threads.at[index].is_selected ||
	    (stats->cpus && stats->cpus->count &&
	     !selection_has_number(stats->cpus, interval->cpu)))
		return;
	row_index = row_for(stats, index, interval);
	if (row_index == TASK_NONE)
		return;
	row = &stats->rows.at[row_index];
	switch (interval->state) {
	case SCHEDULE_RUNNING:
		if (part_ns || !stats->windows || !stats->windows->is_limited)
			add_run(row, &stats->threads.at[index], interval, part_ns);
		break;
	case SCHEDULE_RUNNABLE:
	case SCHEDULE_PREEMPTED:
		add_delay(stats, row, interval);
		break;
	case SCHEDULE_BLOCKED:
		row->blocked_ns = saturate_add(row->blocked_ns, part_ns);
		break;
	case SCHEDULE_UNKNOWN:
		row->unknown_ns = saturate_add(row->unknown_ns, part_ns);
		break;
	case SCHEDULE_STATE_COUNT:
		break;
	}
}

void task_stats_init_part(struct task_stats *part, const struct task_stats *of,
			  struct schedule_part which)
{
	task_stats_init(part, of->by);
	part->part = which;
	part->windows = of->windows;
	part->cpus = of->cpus;
	part->threads.count = 0;
	for (size_t i = 0; i < of->threads.count; i++)
		vec_push(&part->threads, of->threads.at[i]);
	part->numbered_count = (uint32_t)of->threads.count;
}

/* Adds a row of other threads. */
static void add_row(struct task_row *row, struct task_row *more)
{
	row->run_ns = saturate_add(row->run_ns, more->run_ns);
	row->run_count += more->run_count;
	if (more->longest_run_ns > row->longest_run_ns)
		row->longest_run_ns = more->longest_run_ns;
	row->blocked_ns = saturate_add(row->blocked_ns, more->blocked_ns);
	row->unknown_ns = saturate_add(row->unknown_ns, more->unknown_ns);
	row->delay_ns = saturate_add(row->delay_ns, more->delay_ns);
	note_longest_delay(row, more->longest_delay_ns, more->longest_delay_at_ns);
	row->preempted_count += more->preempted_count;
	row->migration_count += more->migration_count;
	vec_reserve(&row->delays_ns, row->delays_ns.count + more->delays_ns.count);
	for (size_t i = 0; i < more->delays_ns.count; i++)
		vec_push(&row->delays_ns, more->delays_ns.at[i]);
}

void task_stats_add_part(struct task_stats *stats, struct task_stats *part)
{
	for (size_t i = 0; i < part->rows.count; i++) {
		struct task_row *more = &part->rows.at[i];
		size_t row_count = stats->rows.count;
		uint32_t index = row_of(stats, more->key, more->other);

		if (index < row_count) {
			add_row(&stats->rows.at[index], more);
			continue;
		}
		stats->rows.at[index] = *more;
		*more = (struct task_row){ 0 };
	}
	stats->open_delay_count += part->open_delay_count;
	stats->reused_count += part->reused_count;
	task_stats_deinit(part);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct task_stats *stats = context;
	const struct task_row *left = a;
	const struct task_row *right = b;

	if (stats->by != TASK_BY_CPU && left->run_ns != right->run_ns)
		return left->run_ns > right->run_ns ? -1 : 1;
	if (stats->by != TASK_BY_CPU && left->delay_ns != right->delay_ns)
		return left->delay_ns > right->delay_ns ? -1 : 1;
	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return (left->other > right->other) - (left->other < right->other);
}

/* An empty row has no time in the windows, or only delays that had not ended. */
static bool is_empty(const struct task_row *row)
{
	return !row->run_count && !row->delays_ns.count && !row->blocked_ns && !row->unknown_ns;
}

static void sort_delays(void *context, size_t index)
{
	const struct task_stats *stats = context;
	const struct task_row *row = &stats->rows.at[index];

	quantile_sort(row->delays_ns.at, row->delays_ns.count);
}

void task_stats_finish(struct task_stats *stats, unsigned thread_count)
{
	size_t count = 0;

	workers_run(thread_count, stats->rows.count, sort_delays, stats);
	for (size_t i = 0; i < stats->rows.count; i++) {
		struct task_row *row = &stats->rows.at[i];

		if (is_empty(row))
			vec_free(&row->delays_ns);
		else
			stats->rows.at[count++] = *row;
	}
	stats->rows.count = count;
	if (count > 1)
		qsort_r(stats->rows.at, count, sizeof(*stats->rows.at), compare_rows, stats);
}

uint64_t task_row_quantile(const struct task_row *row, double share)
{
	return quantile_of(row->delays_ns.at, row->delays_ns.count, share);
}
