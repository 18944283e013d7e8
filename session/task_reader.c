/* SPDX-License-Identifier: MIT */
#include "session/task_reader.h"

#include "offcpu/pairing_plan.h"
#include "offcpu/switch_rows.h"
#include "offcpu/task_workers.h"
#include "offcpu/text_threads.h"
#include "process/process_history.h"

struct task_reader {
	struct session *session;
	struct task_stats *stats;
	struct pairing_plan plan;
	struct pairing_rows rows;
	struct selection selection; /* of threads, CPUs and times */
};

static bool refuse_wakers(struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "--by waker requires a perf.data file with wake-ups; record it with perf "
			 "record -e sched:sched_switch -e sched:sched_waking -a");
}

static struct pairing_options pairing_options_of(const struct session *session)
{
	return (struct pairing_options){
		.reads_records = true,
		/* Without wake-ups, only the delays of preempted threads are known. */
		.prefers_wakers = true,
		.is_forced = session->options.pairing && session->options.pairing->is_forced,
	};
}

struct early_samples *session_begin_tasks(struct session *session)
{
	const struct pairing_options options = pairing_options_of(session);

	if (!session->options.reads_tasks)
		return NULL;
	session->early_switches =
		early_switches_create(&options, &session->state, session->options.thread_count);
	return &session->early_switches->samples;
}

/* On-CPU samples only provide stacks for switch records. */
static void leave_out_samples(const struct session *session, struct pairing_plan *plan)
{
	for (size_t i = 0; i < session->profile.events.count; i++)
		if (plan->events[i].role == PAIRING_SAMPLE)
			plan->events[i].role = PAIRING_NONE;
}

static bool make_plan(struct task_reader *reader, struct error *err)
{
	struct session *session = reader->session;
	const struct pairing_options options = pairing_options_of(session);

	if (session_is_text(session)) {
		if (reader->stats->by == TASK_BY_WAKER)
			return refuse_wakers(err);
		if (!pairing_plan_make_text(&options, &reader->plan, err))
			return false;
		reader->plan.describes_threads = true;
		return true;
	}
	if (!pairing_plan_make(&session->profile, &options, &reader->plan, err))
		return false;
	leave_out_samples(session, &reader->plan);
	return true;
}

/* Returns what a text contains about a thread, or NULL. */
static const struct text_thread *text_thread_of(const struct task_reader *reader, uint32_t tid)
{
	return reader->rows.threads ? text_threads_find(reader->rows.threads, tid) : NULL;
}

static str_id comm_of(const struct task_reader *reader, uint32_t tid)
{
	struct session *session = reader->session;
	const struct text_thread *thread = text_thread_of(reader, tid);
	char buffer[COMM_BYTES];
	struct text comm = { 0 };

	if (thread)
		comm = strings_get(&reader->rows.threads->strings, thread->comm);
	if (!comm.length)
		comm = process_history_last_comm(&session->state.history, session->profile.strings,
						 tid, buffer);
	return strings_intern(session->profile.strings, comm.at, comm.length);
}

/* Returns PROCESS_HISTORY_NONE if the process is not known. */
static uint32_t pid_of(const struct task_reader *reader, uint32_t tid)
{
	const struct text_thread *thread = text_thread_of(reader, tid);

	if (thread && thread->pid != EVENT_NO_TID)
		return thread->pid;
	return process_history_pid(&reader->session->state.history, tid);
}

static void name_threads(struct task_reader *reader)
{
	struct session *session = reader->session;

	for (size_t i = 0; i < reader->stats->threads.count; i++) {
		struct task_thread *thread = &reader->stats->threads.at[i];
		uint32_t pid = pid_of(reader, thread->tid);

		if (pid != PROCESS_HISTORY_NONE)
			thread->pid = pid;
		thread->comm = comm_of(reader, thread->tid);
		thread->process = comm_of(reader, thread->pid);
		thread->is_selected = selection_includes_thread(
			&reader->selection, thread->pid, thread->tid,
			strings_get(session->profile.strings, thread->comm),
			strings_get(session->profile.strings, thread->process));
	}
}

/* Tasks apply the selection of threads, CPUs and times: to intervals, not to samples. */
static void take_selection(struct task_reader *reader)
{
	struct session *session = reader->session;

	reader->selection = session->view.selection;
	time_windows_init(&session->lane_windows, &session->view.selection);
	reader->stats->windows = &session->lane_windows;
	reader->stats->cpus = &reader->selection.cpus;
}

static void set_times(struct task_reader *reader)
{
	const struct time_windows *windows = reader->stats->windows;
	size_t count = reader->rows.rows.count;

	reader->stats->first_ns = time_windows_nearest(windows, reader->rows.rows.at[0].time_ns);
	reader->stats->last_ns =
		time_windows_nearest(windows, reader->rows.rows.at[count - 1].time_ns);
}

static bool build(struct task_reader *reader, struct error *err)
{
	struct task_workers workers;

	if (!reader->rows.rows.count)
		return error_set(err, ERROR_USAGE,
				 "has no context switches with times; record them with perf record "
				 "-e sched:sched_switch -e sched:sched_waking -a");
	task_workers_init(&workers, &reader->rows.rows, reader->session->options.thread_count,
			  reader->stats);
	name_threads(reader);
	set_times(reader);
	task_workers_run(&workers);
	task_workers_deinit(&workers);
	task_stats_finish(reader->stats, reader->session->options.thread_count);
	reader->session->has_visited = true;
	reader->session->visited_count = reader->rows.rows.count;
	reader->session->profile.sample_count = reader->rows.rows.count;
	if (reader->stats->rows.count)
		return true;
	if (reader->stats->by == TASK_BY_WAKER && !reader->plan.options.has_wakers)
		return refuse_wakers(err);
	return error_set(err, ERROR_NO_MATCH,
			 "no thread was selected, or none ran in the selected time");
}

bool session_build_tasks(struct session *session, struct error *err)
{
	const struct switch_source switches = { .capture = &session->capture,
						.state = &session->state,
						.early = session->early_switches,
						.thread_count = session->options.thread_count };
	struct task_reader reader = { .session = session, .stats = &session->tasks };
	bool good;

	task_stats_init(&session->tasks, session->options.tasks_by);
	take_selection(&reader);
	good = make_plan(&reader, err) &&
	       switch_rows_read(&switches, &reader.plan, &reader.rows, err) && build(&reader, err);
	pairing_plan_free(&reader.plan);
	pairing_rows_deinit(&reader.rows);
	return good || error_prefix(err, "%s", session->capture.input.name);
}
