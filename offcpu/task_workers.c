/* SPDX-License-Identifier: MIT */
#include "offcpu/task_workers.h"

#include "base/workers.h"

/* With fewer rows, another worker takes more time than it saves. */
#define WORKER_ROWS_MIN 20000u

struct worker {
	struct task_stats stats;
	uint64_t switch_count; /* of all threads */
	uint64_t missing_count, missing_idle_count;
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
	size_t worker_count = rows->count / WORKER_ROWS_MIN + 1;
	struct counting counting = { .rows = rows, .source = SCHEDULE_MOST_SWITCHES };

	if (worker_count > thread_count)
		worker_count = thread_count;
	counting.worker_count = (uint32_t)worker_count;
	counting.workers = memory_alloc(worker_count, sizeof(*counting.workers));
	if (!run_workers(&counting, stats)) {
		task_stats_clear(stats);
		counting.source = SCHEDULE_SWITCHES;
		(void)run_workers(&counting, stats);
	}
	memory_free(counting.workers);
}
