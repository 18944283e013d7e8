/* SPDX-License-Identifier: MIT */
#include "offcpu/task_workers.h"

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

struct thread_search {
	const pairing_row_list *rows;
	struct thread_table *tables; /* one of each worker */
	uint32_t worker_count;
};

/* Returns the first row of a worker. */
static size_t part_begin(const struct thread_search *search, size_t index)
{
	return (size_t)((uint64_t)search->rows->count * index / search->worker_count);
}

static void find_threads(void *context, size_t index)
{
	const struct thread_search *search = context;
	struct thread_table *table = &search->tables[index];
	size_t end = part_begin(search, index + 1);

	thread_table_init(table);
	for (size_t i = part_begin(search, index); i < end; i++) {
		struct schedule_event event = pairing_row_event(&search->rows->at[i]);

		if (event.tid != EVENT_NO_TID)
			(void)thread_table_index(table, event.tid);
		(void)thread_table_index(table, event.next_tid);
	}
}

void task_workers_add_threads(const pairing_row_list *rows, unsigned thread_count,
			      struct task_stats *stats)
{
	struct thread_search search = { .rows = rows,
					.worker_count = count_searchers(rows, thread_count) };

	search.tables = memory_alloc(search.worker_count, sizeof(*search.tables));
	workers_run(search.worker_count, search.worker_count, find_threads, &search);
	for (uint32_t i = 0; i < search.worker_count; i++) {
		for (size_t k = 0; k < search.tables[i].tids.count; k++)
			(void)task_stats_thread(stats, search.tables[i].tids.at[k]);
		thread_table_deinit(&search.tables[i]);
	}
	memory_free(search.tables);
}

struct worker {
	struct task_stats stats;
	uint64_t switch_count; /* of all threads */
	uint64_t missing_count, missing_idle_count;
	char gap[CACHE_LINE_BYTES]; /* so that workers do not write to the same cache line */
};

struct counting {
	const pairing_row_list *rows;
	enum schedule_source source;
	struct worker *workers;
	uint32_t worker_count;
};

static void add_rows(void *context, size_t index)
{
	const struct counting *counting = context;
	struct worker *worker = &counting->workers[index];
	const struct schedule_sink sink = { .context = &worker->stats,
					    .on_interval = task_stats_on_interval };
	const struct pairing_row *rows = counting->rows->at;
	size_t count = counting->rows->count;
	struct schedule schedule;

	schedule_init(&schedule, &sink, rows[0].time_ns, counting->source);
	schedule.part = worker->stats.part;
	for (size_t i = 0; i < count; i++) {
		struct schedule_event event = pairing_row_event(&rows[i]);

		worker->switch_count += event.kind != SCHEDULE_WAKE;
		task_stats_on_event(&worker->stats, &event);
		schedule_add(&schedule, &event);
	}
	schedule_finish(&schedule, rows[count - 1].time_ns);
	worker->missing_count = schedule.missing_count;
	worker->missing_idle_count = schedule.missing_idle_count;
	schedule_deinit(&schedule);
}

/* Returns whether few switches are missing. */
static bool run_workers(struct counting *counting, struct task_stats *stats)
{
	uint64_t missing_idle_count = 0;

	for (uint32_t i = 0; i < counting->worker_count; i++) {
		counting->workers[i] = (struct worker){ 0 };
		task_stats_init_part(&counting->workers[i].stats, stats,
				     (struct schedule_part){ i, counting->worker_count });
	}
	workers_run(counting->worker_count, counting->worker_count, add_rows, counting);
	stats->missing_count = 0;
	for (uint32_t i = 0; i < counting->worker_count; i++) {
		task_stats_add_part(stats, &counting->workers[i].stats);
		stats->missing_count += counting->workers[i].missing_count;
		missing_idle_count += counting->workers[i].missing_idle_count;
	}
	return stats->missing_count - missing_idle_count <= counting->workers[0].switch_count / 100;
}

/*
 * How many switches are missing is known only at the end, so the first run assumes that they are
 * few.
 */
void task_workers_run(const pairing_row_list *rows, unsigned thread_count, struct task_stats *stats)
{
	struct counting counting = {
		.rows = rows,
		.source = SCHEDULE_MOST_SWITCHES,
		.worker_count = task_workers_count(rows, thread_count, stats),
	};

	counting.workers = memory_alloc(counting.worker_count, sizeof(*counting.workers));
	if (!run_workers(&counting, stats)) {
		task_stats_clear(stats);
		counting.source = SCHEDULE_SWITCHES;
		(void)run_workers(&counting, stats);
	}
	memory_free(counting.workers);
}
