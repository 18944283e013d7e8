/* SPDX-License-Identifier: MIT */
#include "process/process_history.h"

#include "base/hash.h"

void timeline_init(struct timeline *timeline)
{
	*timeline = (struct timeline){ 0 };
	address_spaces_init(&timeline->spaces);
	idtable_init(&timeline->threads.table);
	idtable_init(&timeline->processes.table);
	idtable_init(&timeline->replaced.table);
}

static void tasks_deinit(struct timeline_tasks *tasks)
{
	for (size_t i = 0; i < tasks->rows.count; i++)
		vec_free(&tasks->rows.at[i].states);
	vec_free(&tasks->rows);
	idtable_deinit(&tasks->table);
}

void timeline_deinit(struct timeline *timeline)
{
	address_spaces_deinit(&timeline->spaces);
	tasks_deinit(&timeline->threads);
	tasks_deinit(&timeline->processes);
	tasks_deinit(&timeline->replaced);
	vec_free(&timeline->kernel.states);
}

static struct timeline_task *find_task(const struct timeline_tasks *tasks, uint32_t key)
{
	struct idtable_probe probe = idtable_find(&tasks->table, hash_u64(key));
	uint32_t id;

	while ((id = idtable_next(&tasks->table, &probe)) != IDTABLE_NONE)
		if (tasks->rows.at[id].key == key)
			return &tasks->rows.at[id];
	return NULL;
}

static struct timeline_task *get_task(struct timeline_tasks *tasks, uint32_t key)
{
	struct timeline_task *task = find_task(tasks, key);

	if (task)
		return task;
	idtable_add(&tasks->table, hash_u64(key), (uint32_t)tasks->rows.count);
	vec_push(&tasks->rows, (struct timeline_task){ .key = key });
	return &tasks->rows.at[tasks->rows.count - 1];
}

static uint32_t latest(const struct timeline_task *task)
{
	return task && task->states.count ? task->states.at[task->states.count - 1].value
					  : TIMELINE_NONE;
}

static void set_state(struct timeline_task *task, uint64_t time_ns, uint32_t value)
{
	if (latest(task) == value)
		return;
	/* States between which no time passes cannot be told apart; the last one stands. */
	if (task->states.count && task->states.at[task->states.count - 1].time_ns == time_ns)
		task->states.at[task->states.count - 1].value = value;
	else
		vec_push(&task->states, (struct timeline_state){ time_ns, value });
}

static space_id latest_space(const struct timeline_task *task)
{
	uint32_t value = latest(task);

	return value == TIMELINE_NONE ? SPACE_EMPTY : (space_id){ value };
}

void timeline_comm(struct timeline *timeline, uint64_t time_ns, uint32_t pid, uint32_t tid,
		   str_id comm, bool is_exec)
{
	struct timeline_task *process;

	set_state(get_task(&timeline->threads, tid), time_ns, comm.i);
	if (!is_exec || timeline->keeps_maps_on_exec)
		return;
	process = get_task(&timeline->processes, pid);
	set_state(get_task(&timeline->replaced, pid), time_ns, latest_space(process).i);
	set_state(process, time_ns, SPACE_EMPTY.i);
}

void timeline_fork(struct timeline *timeline, uint64_t time_ns, const struct event_fork *fork)
{
	uint32_t comm = latest(find_task(&timeline->threads, fork->parent_tid));
	struct timeline_task *replaced;
	uint32_t space;

	/* A thread number is used again: whatever the last one was called, this one is not. */
	if (comm != TIMELINE_NONE || find_task(&timeline->threads, fork->tid))
		set_state(get_task(&timeline->threads, fork->tid), time_ns, comm);
	if (fork->pid == fork->parent_pid)
		return;
	/* The pid may have been another process before: what that one had mapped is gone. */
	space = latest_space(find_task(&timeline->processes, fork->parent_pid)).i;
	set_state(get_task(&timeline->processes, fork->pid), time_ns,
		  fork->is_synthesized ? SPACE_EMPTY.i : space);
	replaced = find_task(&timeline->replaced, fork->pid);
	if (replaced)
		set_state(replaced, time_ns, SPACE_EMPTY.i);
}

static void map(struct timeline *timeline, struct timeline_task *task, uint64_t time_ns,
		const struct mapping *mapping)
{
	space_id next = address_spaces_map(&timeline->spaces, latest_space(task), mapping);

	set_state(task, time_ns, next.i);
}

void timeline_map(struct timeline *timeline, uint64_t time_ns, uint32_t pid,
		  const struct mapping *mapping)
{
	map(timeline, get_task(&timeline->processes, pid), time_ns, mapping);
}

void timeline_unmap(struct timeline *timeline, uint64_t time_ns, uint32_t pid,
		    const struct mapping *mapping)
{
	struct timeline_task *task = get_task(&timeline->processes, pid);

	set_state(task, time_ns,
		  address_spaces_unmap(&timeline->spaces, latest_space(task), mapping->layer,
				       mapping->start, mapping->end)
			  .i);
}

void timeline_kernel_map(struct timeline *timeline, uint64_t time_ns, const struct mapping *mapping)
{
	map(timeline, &timeline->kernel, time_ns, mapping);
}

void timeline_kernel_unmap(struct timeline *timeline, uint64_t time_ns, uint64_t start,
			   uint64_t end)
{
	space_id next = address_spaces_unmap(&timeline->spaces, latest_space(&timeline->kernel),
					     MAPPING_SOLID, start, end);

	set_state(&timeline->kernel, time_ns, next.i);
}

/* The value at a time; narrows [from, until) to where it holds. */
static uint32_t value_at(const struct timeline_task *task, uint64_t time_ns,
			 struct timeline_moment *moment)
{
	size_t low = 0;
	size_t high = task ? task->states.count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (task->states.at[middle].time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (task && low < task->states.count && task->states.at[low].time_ns < moment->until_ns)
		moment->until_ns = task->states.at[low].time_ns;
	if (low == 0)
		return TIMELINE_NONE;
	if (task->states.at[low - 1].time_ns > moment->from_ns)
		moment->from_ns = task->states.at[low - 1].time_ns;
	return task->states.at[low - 1].value;
}

static space_id space_at(const struct timeline_task *task, uint64_t time_ns,
			 struct timeline_moment *moment)
{
	uint32_t value = value_at(task, time_ns, moment);

	return value == TIMELINE_NONE ? SPACE_EMPTY : (space_id){ value };
}

struct timeline_moment timeline_find(const struct timeline *timeline, uint32_t pid, uint32_t tid,
				     uint64_t time_ns)
{
	struct timeline_moment moment = { .until_ns = UINT64_MAX };

	moment.comm = value_at(find_task(&timeline->threads, tid), time_ns, &moment);
	moment.space = space_at(find_task(&timeline->processes, pid), time_ns, &moment);
	moment.replaced_space = space_at(find_task(&timeline->replaced, pid), time_ns, &moment);
	moment.kernel_space = space_at(&timeline->kernel, time_ns, &moment);
	return moment;
}
