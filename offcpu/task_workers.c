/* SPDX-License-Identifier: MIT */
#include "offcpu/task_workers.h"

#include "base/key_sort.h"
#include "base/workers.h"
#include "libparse/event.h"

/* With fewer rows, another worker takes more time than it saves. */
#define WORKER_ROWS_MIN 20000u

static uint32_t count_searchers(const pairing_row_list *rows, unsigned thread_count)
{
	size_t count = rows->count / WORKER_ROWS_MIN + 1;

	return count < thread_count ? (uint32_t)count : thread_count;
}

uint32_t task_workers_count(const pairing_row_list *rows, unsigned thread_count,
			    const struct task_stats *stats)
{
	uint32_t count = count_searchers(rows, thread_count);
	size_t copies = stats->threads.count ? rows->count / stats->threads.count : count;

	if (copies < count)
		count = (uint32_t)copies;
	return count ? count : 1;
}

/* The waker of a row, and the thread of a record, may be unknown. */
static void number_threads(void *context, size_t index)
{
	const struct task_workers *workers = context;
	struct task_part *part = &workers->parts.at[index];

	thread_table_init(&part->numbers);
	for (size_t i = part->begin; i < part->end; i++) {
		struct pairing_row *row = &workers->rows->at[i];

		bool is_known = row->previous != EVENT_NO_TID || row->role == PAIRING_SWITCH;

		if (is_known)
			row->previous = thread_table_index(&part->numbers, row->previous);
		if (!pairing_row_is_record(row))
			row->next = thread_table_index(&part->numbers, row->next);
		while (part->loads.count < part->numbers.tids.count)
			vec_push(&part->loads, (struct task_load){ .cpu = row->cpu });
		if (is_known && row->role != PAIRING_WAKE)
			part->loads.at[row->previous].switch_count++;
	}
}

static void add_threads(struct task_workers *workers, struct task_part *part)
{
	part->indexes = memory_alloc(part->numbers.tids.count, sizeof(*part->indexes));
	for (size_t i = 0; i < part->numbers.tids.count; i++) {
		uint32_t index = task_stats_thread(workers->stats, part->numbers.tids.at[i]);

		part->indexes[i] = index;
		workers->switch_count += part->loads.at[i].switch_count;
		if (index == workers->loads.count)
			vec_push(&workers->loads, part->loads.at[i]);
		else
			workers->loads.at[index].switch_count += part->loads.at[i].switch_count;
	}
	vec_free(&part->loads);
}

void task_workers_init(struct task_workers *workers, pairing_row_list *rows, unsigned thread_count,
		       struct task_stats *stats)
{
	uint32_t count = count_searchers(rows, thread_count);

	*workers =
		(struct task_workers){ .rows = rows, .thread_count = thread_count, .stats = stats };
	for (uint32_t i = 0; i < count; i++) {
		struct task_part part = {
			.begin = (size_t)((uint64_t)rows->count * i / count),
			.end = (size_t)((uint64_t)rows->count * (i + 1) / count),
		};

		vec_push(&workers->parts, part);
	}
	workers_run(count, count, number_threads, workers);
	for (uint32_t i = 0; i < count; i++)
		add_threads(workers, &workers->parts.at[i]);
	workers->unknown = thread_table_find(&stats->thread_table, EVENT_NO_TID);
}

void task_workers_deinit(struct task_workers *workers)
{
	for (size_t i = 0; i < workers->parts.count; i++) {
		thread_table_deinit(&workers->parts.at[i].numbers);
		memory_free(workers->parts.at[i].indexes);
	}
	vec_free(&workers->loads);
	vec_free(&workers->parts);
}

/*
 * Distributes the threads so that each worker has about the same number of switches. Threads of the
 * same CPU have the same worker where possible: their rows are near each other, so CPUs predict
 * better whether a worker counts a row. Nothing is counted for the idle task, which has index 0.
 */
static uint8_t *choose_owners(const struct task_workers *workers, uint32_t worker_count)
{
	size_t count = workers->loads.count;
	struct key_row *order = memory_alloc(count, sizeof(*order));
	uint8_t *owners = memory_alloc(count, sizeof(*owners));
	uint64_t all = workers->switch_count - workers->loads.at[0].switch_count;
	uint64_t before = 0;

	for (size_t i = 0; i < count; i++)
		order[i] = (struct key_row){ workers->loads.at[i].cpu, (uint32_t)i };
	key_sort(order, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t thread = order[i].row;

		owners[thread] = (uint8_t)(before * worker_count / (all + 1));
		before += thread ? workers->loads.at[thread].switch_count : 0;
	}
	memory_free(order);
	return owners;
}

struct worker {
	struct task_stats stats;
	uint64_t missing_count, missing_idle_count;
	char gap[CACHE_LINE_BYTES]; /* so that workers do not write to the same cache line */
};

struct counting {
	const struct task_workers *of;
	enum schedule_source source;
	struct worker *workers;
	uint8_t *owners; /* of threads */
	uint32_t worker_count;
};

static void add_part(const struct task_workers *workers, const struct task_part *part,
		     struct task_stats *stats, struct schedule *schedule)
{
	const uint32_t *indexes = part->indexes;
	uint32_t unknown = workers->unknown == THREAD_TABLE_NONE ? EVENT_NO_TID : workers->unknown;

	for (size_t i = part->begin; i < part->end; i++) {
		struct schedule_event event = pairing_row_event(&workers->rows->at[i]);

		event.next_tid = indexes[event.next_tid];
		if (event.kind == SCHEDULE_WAKE &&
		    !schedule_part_has(&schedule->part, event.next_tid))
			continue;
		event.tid = event.tid == EVENT_NO_TID ? unknown : indexes[event.tid];
		task_stats_on_event(stats, &event);
		schedule_add(schedule, &event);
	}
}

static void add_rows(void *context, size_t index)
{
	const struct counting *counting = context;
	const struct task_workers *workers = counting->of;
	struct worker *worker = &counting->workers[index];
	const struct schedule_sink sink = { .context = &worker->stats,
					    .on_interval = task_stats_on_interval };
	const struct pairing_row *rows = workers->rows->at;
	struct schedule schedule;

	schedule_init(&schedule, &sink, rows[0].time_ns, counting->source);
	schedule_number_threads(&schedule, worker->stats.numbered_count);
	schedule.part = worker->stats.part;
	for (size_t i = 0; i < workers->parts.count; i++)
		add_part(workers, &workers->parts.at[i], &worker->stats, &schedule);
	schedule_finish(&schedule, rows[workers->rows->count - 1].time_ns);
	worker->missing_count = schedule.missing_count;
	worker->missing_idle_count = schedule.missing_idle_count;
	schedule_deinit(&schedule);
}

/* Returns whether few switches are missing. */
static bool run_workers(struct counting *counting)
{
	const struct task_workers *workers = counting->of;
	struct task_stats *stats = workers->stats;
	uint64_t missing_idle_count = 0;

	for (uint32_t i = 0; i < counting->worker_count; i++) {
		counting->workers[i] = (struct worker){ 0 };
		task_stats_init_part(&counting->workers[i].stats, stats,
				     (struct schedule_part){
					     .owners = counting->owners,
					     .thread_count = (uint32_t)workers->loads.count,
					     .number = (uint8_t)i,
				     });
	}
	workers_run(counting->worker_count, counting->worker_count, add_rows, counting);
	stats->missing_count = 0;
	for (uint32_t i = 0; i < counting->worker_count; i++) {
		task_stats_add_part(stats, &counting->workers[i].stats);
		stats->missing_count += counting->workers[i].missing_count;
		missing_idle_count += counting->workers[i].missing_idle_count;
	}
	return stats->missing_count - missing_idle_count <= workers->switch_count / 100;
}

/*
 * How many switches are missing is known only at the end, so the first run assumes that they are
 * few.
 */
void task_workers_run(struct task_workers *workers)
{
	struct counting counting = {
		.of = workers,
		.source = SCHEDULE_MOST_SWITCHES,
		.worker_count =
			task_workers_count(workers->rows, workers->thread_count, workers->stats),
	};

	counting.owners = choose_owners(workers, counting.worker_count);
	counting.workers = memory_alloc(counting.worker_count, sizeof(*counting.workers));
	if (!run_workers(&counting)) {
		task_stats_clear(workers->stats);
		counting.source = SCHEDULE_SWITCHES;
		(void)run_workers(&counting);
	}
	memory_free(counting.workers);
	memory_free(counting.owners);
}
