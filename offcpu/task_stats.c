/* SPDX-License-Identifier: MIT */
#include "offcpu/task_stats.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/quantile.h"

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
	idtable_deinit(&stats->thread_table);
}

static void forget(struct task_thread *thread)
{
	thread->last_cpu = thread->waker = thread->preemptor = TASK_NONE;
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

static uint32_t find_or_add(struct task_stats *stats, uint32_t tid)
{
	uint64_t hash = hash_pair(tid, 0);
	struct idtable_probe probe = idtable_find(&stats->thread_table, hash);
	struct task_thread thread = { .tid = tid, .pid = tid, .is_selected = true };
	uint32_t id;

	while ((id = idtable_next(&stats->thread_table, &probe)) != IDTABLE_NONE)
		if (stats->threads.at[id].tid == tid)
			return id;
	id = (uint32_t)stats->threads.count;
	forget(&thread);
	vec_push(&stats->threads, thread);
	idtable_add(&stats->thread_table, hash, id);
	return id;
}

void task_stats_init(struct task_stats *stats, enum task_by by)
{
	*stats = (struct task_stats){ .by = by };
	idtable_init(&stats->thread_table);
	idtable_init(&stats->row_table);
	(void)find_or_add(stats, 0);
}

uint32_t task_stats_thread(struct task_stats *stats, uint32_t tid)
{
	struct task_recent *recent = &stats->recent[tid % TASK_RECENT];

	/* Initially, all entries are 0; this is correct, because thread 0 has index 0. */
	if (recent->tid != tid)
		*recent = (struct task_recent){ tid, find_or_add(stats, tid) };
	return recent->index;
}

static struct task_row *row_of(struct task_stats *stats, uint32_t key, uint32_t other)
{
	uint64_t hash = hash_pair(key, other);
	struct idtable_probe probe = idtable_find(&stats->row_table, hash);
	uint32_t id;

	while ((id = idtable_next(&stats->row_table, &probe)) != IDTABLE_NONE)
		if (stats->rows.at[id].key == key && stats->rows.at[id].other == other)
			return &stats->rows.at[id];
	id = (uint32_t)stats->rows.count;
	vec_push(&stats->rows, (struct task_row){ .key = key, .other = other });
	idtable_add(&stats->row_table, hash, id);
	return &stats->rows.at[id];
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

/* Returns the row for which an interval of a thread counts, or NULL. */
static struct task_row *row_for(struct task_stats *stats, uint32_t index,
				const struct schedule_interval *interval)
{
	const struct task_thread *thread = &stats->threads.at[index];

	switch (stats->by) {
	case TASK_BY_THREAD:
		return row_of(stats, index, TASK_NONE);
	case TASK_BY_COMM:
		return row_of(stats, thread->comm.i, TASK_NONE);
	case TASK_BY_PROCESS:
		return row_of(stats, thread->pid, thread->process.i);
	case TASK_BY_CPU:
		return row_of(stats, interval->cpu, TASK_NONE);
	case TASK_BY_PREEMPTION:
		if (interval->state != SCHEDULE_PREEMPTED)
			return NULL;
		return row_of(stats, thread->comm.i, comm_of(stats, thread->preemptor));
	case TASK_BY_WAKER:
		if (interval->state != SCHEDULE_RUNNABLE)
			return NULL;
		return row_of(stats, thread->comm.i, comm_of(stats, thread->waker));
	}
	return NULL;
}

void task_stats_on_event(struct task_stats *stats, const struct schedule_event *event)
{
	uint32_t out;

	if (event->kind != SCHEDULE_SWITCH && event->kind != SCHEDULE_OUT)
		return;
	if (event->next_tid) {
		struct task_thread *next =
			&stats->threads.at[task_stats_thread(stats, event->next_tid)];

		stats->reused_count += next->has_exited;
		next->has_exited = false;
	}
	if (!event->tid)
		return;
	out = task_stats_thread(stats, event->tid);
	if (event->task_state == 'R') {
		uint32_t preemptor = event->kind == SCHEDULE_SWITCH
					     ? task_stats_thread(stats, event->next_tid)
					     : TASK_NONE;

		stats->threads.at[out].preemptor = preemptor;
	}
	if (event->task_state == 'X' || event->task_state == 'Z')
		stats->threads.at[out].has_exited = true;
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

/*
 * Delays count in full in the window in which they begin, like the waits of kiln report --latency.
 */
static void add_delay(struct task_stats *stats, struct task_row *row,
		      const struct schedule_interval *interval)
{
	uint64_t delay_ns = interval->to_ns - interval->from_ns;

	if (!time_windows_has(stats->windows, interval->from_ns))
		return;
	if (interval->is_open) {
		stats->open_delay_count++;
		return;
	}
	row->delay_ns = saturate_add(row->delay_ns, delay_ns);
	row->preempted_count += interval->state == SCHEDULE_PREEMPTED;
	vec_push(&row->delays_ns, delay_ns);
	if (delay_ns > row->longest_delay_ns) {
		row->longest_delay_ns = delay_ns;
		row->longest_delay_at_ns = interval->from_ns;
	}
}

void task_stats_on_interval(void *context, const struct schedule_interval *interval)
{
	struct task_stats *stats = context;
	uint32_t index = task_stats_thread(stats, interval->tid);
	uint64_t part_ns = time_windows_part(stats->windows, interval->from_ns, interval->to_ns);
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
	row = row_for(stats, index, interval);
	if (!row)
		return;
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

void task_stats_finish(struct task_stats *stats)
{
	size_t count = 0;

	for (size_t i = 0; i < stats->rows.count; i++) {
		struct task_row *row = &stats->rows.at[i];

		quantile_sort(row->delays_ns.at, row->delays_ns.count);
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
