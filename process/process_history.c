/* SPDX-License-Identifier: MIT */
#include "process/process_history.h"

#include "base/hash.h"

void process_history_init(struct process_history *history)
{
	*history = (struct process_history){ .mapping_bytes_max = UINT64_MAX };
	address_spaces_init(&history->spaces);
	idtable_init(&history->threads.table);
	idtable_init(&history->processes.table);
	idtable_init(&history->replaced.table);
	idtable_init(&history->data.table);
}

static void tasks_deinit(struct history_tasks *tasks)
{
	for (size_t i = 0; i < tasks->rows.count; i++)
		vec_free(&tasks->rows.at[i].states);
	vec_free(&tasks->rows);
	idtable_deinit(&tasks->table);
}

void process_history_deinit(struct process_history *history)
{
	address_spaces_deinit(&history->spaces);
	tasks_deinit(&history->threads);
	tasks_deinit(&history->processes);
	tasks_deinit(&history->replaced);
	tasks_deinit(&history->data);
	vec_free(&history->kernel.states);
}

static struct history_task *find_task(const struct history_tasks *tasks, uint32_t key)
{
	struct idtable_probe probe = idtable_find(&tasks->table, hash_u64(key));
	uint32_t id;

	while ((id = idtable_next(&tasks->table, &probe)) != IDTABLE_NONE)
		if (tasks->rows.at[id].key == key)
			return &tasks->rows.at[id];
	return NULL;
}

static struct history_task *get_task(struct history_tasks *tasks, uint32_t key)
{
	struct history_task *task = find_task(tasks, key);

	if (task)
		return task;
	idtable_add(&tasks->table, hash_u64(key), (uint32_t)tasks->rows.count);
	vec_push(&tasks->rows, (struct history_task){ .key = key });
	return &tasks->rows.at[tasks->rows.count - 1];
}

static uint32_t latest(const struct history_task *task)
{
	return task && task->states.count ? task->states.at[task->states.count - 1].value
					  : PROCESS_HISTORY_NONE;
}

/*
 * Allocates space for only one state at first, because most threads and processes have a single
 * state. Space for more would take up to 16 times the memory.
 */
static void add_state(struct history_task *task, struct history_entry entry)
{
	if (!task->states.capacity) {
		task->states.at = memory_alloc(1, sizeof(entry));
		task->states.capacity = 1;
	}
	vec_push(&task->states, entry);
}

static void set_state(struct history_task *task, uint64_t time_ns, uint32_t value)
{
	if (latest(task) == value)
		return;
	/* If several values have the same time, the last one takes precedence. */
	if (task->states.count && task->states.at[task->states.count - 1].time_ns == time_ns)
		task->states.at[task->states.count - 1].value = value;
	else
		add_state(task, (struct history_entry){ time_ns, value });
}

static space_id latest_space(const struct history_task *task)
{
	uint32_t value = latest(task);

	return value == PROCESS_HISTORY_NONE ? SPACE_EMPTY : (space_id){ value };
}

static struct history_task *get_thread(struct process_history *history, uint32_t pid, uint32_t tid)
{
	struct history_task *thread = get_task(&history->threads, tid);

	thread->pid = pid;
	return thread;
}

void process_history_comm(struct process_history *history, uint64_t time_ns, uint32_t pid,
			  uint32_t tid, str_id comm, bool is_exec)
{
	struct history_task *process;

	set_state(get_thread(history, pid, tid), time_ns, comm.i);
	if (!is_exec || history->keeps_maps_on_exec)
		return;
	process = get_task(&history->processes, pid);
	set_state(get_task(&history->replaced, pid), time_ns, latest_space(process).i);
	set_state(process, time_ns, SPACE_EMPTY.i);
	if (history->keeps_data)
		set_state(get_task(&history->data, pid), time_ns, SPACE_EMPTY.i);
}

void process_history_fork(struct process_history *history, uint64_t time_ns,
			  const struct event_fork *fork)
{
	uint32_t comm = latest(find_task(&history->threads, fork->parent_tid));
	struct history_task *replaced;
	uint32_t space;

	/* A reused tid does not inherit the name of its predecessor. */
	if (comm != PROCESS_HISTORY_NONE || find_task(&history->threads, fork->tid))
		set_state(get_thread(history, fork->pid, fork->tid), time_ns, comm);
	if (fork->pid == fork->parent_pid)
		return;
	/* A reused pid does not inherit the mappings of its predecessor. */
	space = latest_space(find_task(&history->processes, fork->parent_pid)).i;
	set_state(get_task(&history->processes, fork->pid), time_ns,
		  fork->is_synthesized ? SPACE_EMPTY.i : space);
	replaced = find_task(&history->replaced, fork->pid);
	if (replaced)
		set_state(replaced, time_ns, SPACE_EMPTY.i);
	if (!history->keeps_data)
		return;
	space = latest_space(find_task(&history->data, fork->parent_pid)).i;
	set_state(get_task(&history->data, fork->pid), time_ns,
		  fork->is_synthesized ? SPACE_EMPTY.i : space);
}

/*
 * Whether there is memory left for a change. If there is no memory left, counts the change as
 * dropped.
 */
static bool has_memory(struct process_history *history, struct history_task *task, uint64_t time_ns)
{
	if (LIKELY(address_spaces_bytes(&history->spaces) <= history->mapping_bytes_max &&
		   !address_spaces_are_full(&history->spaces)))
		return true;
	history->dropped_count++;
	set_state(task, time_ns, SPACE_EMPTY.i);
	return false;
}

static void map(struct process_history *history, struct history_task *task, uint64_t time_ns,
		const struct mapping *mapping)
{
	if (has_memory(history, task, time_ns))
		set_state(task, time_ns,
			  address_spaces_map(&history->spaces, latest_space(task), mapping).i);
}

static void unmap(struct process_history *history, struct history_task *task, uint64_t time_ns,
		  const struct mapping *range)
{
	if (has_memory(history, task, time_ns))
		set_state(task, time_ns,
			  address_spaces_unmap(&history->spaces, latest_space(task), range->layer,
					       range->start, range->end)
				  .i);
}

void process_history_map(struct process_history *history, uint64_t time_ns, uint32_t pid,
			 const struct mapping *mapping)
{
	map(history, get_task(&history->processes, pid), time_ns, mapping);
}

void process_history_unmap(struct process_history *history, uint64_t time_ns, uint32_t pid,
			   const struct mapping *mapping)
{
	unmap(history, get_task(&history->processes, pid), time_ns, mapping);
}

void process_history_map_data(struct process_history *history, uint64_t time_ns, uint32_t pid,
			      const struct mapping *mapping)
{
	struct mapping solid = *mapping;
	uint64_t dropped_count = history->dropped_count;

	if (!history->keeps_data)
		return;
	solid.layer = MAPPING_SOLID;
	map(history, get_task(&history->data, pid), time_ns, &solid);
	/*
	 * Do not count this change as dropped, because the code change by the same record is
	 * counted.
	 */
	history->dropped_count = dropped_count;
}

void process_history_kernel_map(struct process_history *history, uint64_t time_ns,
				const struct mapping *mapping)
{
	map(history, &history->kernel, time_ns, mapping);
}

void process_history_kernel_unmap(struct process_history *history, uint64_t time_ns, uint64_t start,
				  uint64_t end)
{
	unmap(history, &history->kernel, time_ns,
	      &(struct mapping){ .start = start, .end = end, .layer = MAPPING_SOLID });
}

/* The value at a time. Narrows [from, until) to the time in which the value is valid. */
static uint32_t value_at(const struct history_task *task, uint64_t time_ns,
			 struct process_moment *moment)
{
	size_t low = task ? vec_count_first(&task->states, state, state->time_ns <= time_ns) : 0;

	if (task && low < task->states.count && task->states.at[low].time_ns < moment->until_ns)
		moment->until_ns = task->states.at[low].time_ns;
	if (low == 0)
		return PROCESS_HISTORY_NONE;
	if (task->states.at[low - 1].time_ns > moment->from_ns)
		moment->from_ns = task->states.at[low - 1].time_ns;
	return task->states.at[low - 1].value;
}

static space_id space_at(const struct history_task *task, uint64_t time_ns,
			 struct process_moment *moment)
{
	uint32_t value = value_at(task, time_ns, moment);

	return value == PROCESS_HISTORY_NONE ? SPACE_EMPTY : (space_id){ value };
}

uint32_t process_history_pid(const struct process_history *history, uint32_t tid)
{
	const struct history_task *thread = find_task(&history->threads, tid);

	return thread ? thread->pid : PROCESS_HISTORY_NONE;
}

space_id process_history_find_data(const struct process_history *history, uint32_t pid,
				   uint64_t time_ns)
{
	struct process_moment ignored = { .until_ns = UINT64_MAX };

	return space_at(find_task(&history->data, pid), time_ns, &ignored);
}

struct process_moment process_history_find(const struct process_history *history, uint32_t pid,
					   uint32_t tid, uint64_t time_ns)
{
	struct process_moment moment = { .until_ns = UINT64_MAX };

	moment.comm = value_at(find_task(&history->threads, tid), time_ns, &moment);
	moment.space = space_at(find_task(&history->processes, pid), time_ns, &moment);
	moment.replaced_space = space_at(find_task(&history->replaced, pid), time_ns, &moment);
	moment.kernel_space = space_at(&history->kernel, time_ns, &moment);
	return moment;
}

struct text process_history_last_comm(const struct process_history *history,
				      const struct strings *strings, uint32_t tid,
				      char buffer[COMM_BYTES])
{
	const struct history_task *thread = find_task(&history->threads, tid);

	return comm_text(strings, latest(thread), tid, buffer);
}
