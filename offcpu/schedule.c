/* SPDX-License-Identifier: MIT */
#include "offcpu/schedule.h"

#include "libparse/event.h"

/*
 * The last switch is stored only for CPUs with numbers below this limit, because the numbers come
 * from the input. Linux allows 8192 CPUs.
 */
#define LIMIT_SCHEDULE_CPUS 65536u

enum phase {
	PHASE_NEW, /* no event yet, or the thread has exited */
	PHASE_RUNS,
	PHASE_WAITS, /* switched out */
	PHASE_WOKEN, /* woken before any other event */
	PHASE_LOST,  /* its switch-out is missing */
};

struct schedule_thread {
	uint64_t since_ns, woken_ns;
	uint32_t tid, cpu, label, waker_tid;
	enum phase phase;
	enum schedule_waker waker;
	char task_state;
	bool is_woken;
	bool is_exiting; /* the record of its exit precedes its last switch-out */
};

void schedule_init(struct schedule *schedule, const struct schedule_sink *sink, uint64_t first_ns,
		   enum schedule_source source)
{
	*schedule = (struct schedule){
		.sink = *sink,
		.first_ns = first_ns,
		.source = source,
	};
	thread_table_init(&schedule->table);
	vec_push(&schedule->threads, (struct schedule_thread){ .cpu = EVENT_NO_CPU });
}

void schedule_deinit(struct schedule *schedule)
{
	vec_free(&schedule->threads);
	vec_free(&schedule->cpus);
	thread_table_deinit(&schedule->table);
}

void schedule_number_threads(struct schedule *schedule, uint32_t count)
{
	schedule->numbered_count = count;
	vec_reserve(&schedule->threads, count);
	for (uint32_t tid = 1; tid < count; tid++)
		vec_push(&schedule->threads,
			 (struct schedule_thread){ .tid = tid, .cpu = EVENT_NO_CPU });
}

static struct schedule_thread *thread_of(struct schedule *schedule, uint32_t tid)
{
	uint32_t index;

	if (tid < schedule->numbered_count)
		return &schedule->threads.at[tid];
	index = thread_table_index(&schedule->table, tid);
	if (schedule->numbered_count)
		index += schedule->numbered_count - 1;
	if (index == schedule->threads.count)
		vec_push(&schedule->threads,
			 (struct schedule_thread){ .tid = tid, .cpu = EVENT_NO_CPU });
	return &schedule->threads.at[index];
}

static __attribute__((noinline)) struct schedule_cpu *add_cpu(struct schedule *schedule,
							      uint32_t cpu)
{
	if (cpu >= LIMIT_SCHEDULE_CPUS)
		return NULL;
	while (schedule->cpus.count <= cpu)
		vec_push(&schedule->cpus, (struct schedule_cpu){ 0 });
	return &schedule->cpus.at[cpu];
}

/* Returns NULL if the CPU is unknown. */
static struct schedule_cpu *cpu_of(struct schedule *schedule, uint32_t cpu)
{
	if (LIKELY(cpu < schedule->cpus.count))
		return &schedule->cpus.at[cpu];
	return add_cpu(schedule, cpu);
}

/* Sends an interval of a thread, from since_ns to to_ns. */
static void send(const struct schedule *schedule, const struct schedule_thread *thread,
		 enum schedule_state state, uint64_t to_ns, bool is_open)
{
	bool is_off_cpu = state == SCHEDULE_BLOCKED || state == SCHEDULE_PREEMPTED;
	bool is_woken = state == SCHEDULE_BLOCKED && thread->is_woken;

	if (to_ns <= thread->since_ns)
		return;
	schedule->sink.on_interval(
		schedule->sink.context,
		&(struct schedule_interval){
			.from_ns = thread->since_ns,
			.to_ns = to_ns,
			.tid = thread->tid,
			.cpu = thread->cpu,
			.state = state,
			.label = is_off_cpu || state == SCHEDULE_RUNNING ? thread->label
									 : SCHEDULE_LABEL_NONE,
			.task_state = is_off_cpu ? thread->task_state : '\0',
			.is_open = is_open,
			.waker = is_woken ? thread->waker : SCHEDULE_WAKER_UNKNOWN,
			.waker_tid = is_woken ? thread->waker_tid : 0,
		});
}

/*
 * Sends the intervals of a thread since it was switched out: blocked or preempted and, if it was
 * woken, runnable.
 */
static void send_wait(const struct schedule *schedule, struct schedule_thread *thread,
		      uint64_t to_ns, bool is_open)
{
	if (thread->task_state == 'R') {
		send(schedule, thread, SCHEDULE_PREEMPTED, to_ns, is_open);
		return;
	}
	if (!thread->is_woken) {
		send(schedule, thread, SCHEDULE_BLOCKED, to_ns, is_open);
		return;
	}
	send(schedule, thread, SCHEDULE_BLOCKED, thread->woken_ns, false);
	thread->since_ns = thread->woken_ns;
	send(schedule, thread, SCHEDULE_RUNNABLE, to_ns, is_open);
}

/* Sends an unknown interval, because switches of the thread are missing. */
static void send_unknown(struct schedule *schedule, struct schedule_thread *thread, uint32_t cpu,
			 uint64_t to_ns)
{
	const struct schedule_cpu *here = cpu_of(schedule, cpu);
	uint64_t known_ns = here ? here->time_ns : 0;

	schedule->missing_count++;
	schedule->missing_idle_count += thread->phase == PHASE_WAITS && thread->is_woken && here &&
					here->has_switched && !here->tid;
	if (thread->phase == PHASE_WAITS && schedule->source == SCHEDULE_MOST_SWITCHES) {
		if (known_ns && thread->is_woken && thread->woken_ns > known_ns)
			known_ns = thread->woken_ns;
		if (known_ns > thread->since_ns) {
			send_wait(schedule, thread, known_ns, false);
			thread->since_ns = known_ns;
		}
	}
	send(schedule, thread, SCHEDULE_UNKNOWN, to_ns, false);
}

static void start(struct schedule_thread *thread, enum phase phase, uint64_t time_ns)
{
	thread->phase = phase;
	thread->since_ns = time_ns;
	thread->is_woken = thread->is_exiting = false;
	thread->label = SCHEDULE_LABEL_NONE;
}

static bool has_exited(char task_state)
{
	return task_state == 'X' || task_state == 'x' || task_state == 'Z';
}

static uint64_t later(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

/*
 * Starts the run of a thread whose switch-in was not recorded. Such a thread has run since the
 * capture began, unless the CPU has switched threads since then, or the tid was reused.
 */
static void start_late(struct schedule *schedule, struct schedule_thread *thread, uint32_t cpu)
{
	const struct schedule_cpu *here = cpu_of(schedule, cpu);
	bool is_since_begin = !has_exited(thread->task_state) && !(here && here->has_switched);

	start(thread, is_since_begin ? PHASE_RUNS : PHASE_LOST,
	      later(is_since_begin ? schedule->first_ns
		    : here         ? here->time_ns
				   : UINT64_MAX,
		    thread->since_ns));
	thread->cpu = cpu;
}

/* Sends the run of a thread, which was on a CPU until this event. */
static void send_run(struct schedule *schedule, struct schedule_thread *thread,
		     const struct schedule_event *event)
{
	bool is_here = event->cpu == EVENT_NO_CPU || thread->cpu == EVENT_NO_CPU ||
		       thread->cpu == event->cpu;

	/* A thread may be woken while it runs, so PHASE_WOKEN does not exclude that it ran. */
	if (thread->phase == PHASE_NEW || thread->phase == PHASE_WOKEN)
		start_late(schedule, thread, event->cpu);
	if (thread->phase == PHASE_RUNS && is_here)
		send(schedule, thread, SCHEDULE_RUNNING, event->time_ns, false);
	else
		send_unknown(schedule, thread, event->cpu, event->time_ns);
}

static void begin_exit(struct schedule *schedule, const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, event->tid);

	send_run(schedule, thread, event);
	start(thread, PHASE_RUNS, event->time_ns);
	thread->is_exiting = true;
	thread->cpu = event->cpu;
}

/* An exiting thread does not sleep: unless it was preempted, it does not run again. */
static bool is_switched_out_last(const struct schedule_thread *thread)
{
	return thread->phase == PHASE_WAITS && thread->is_exiting && thread->task_state != 'R';
}

/* Whether another thread took over the tid of a thread that has exited. */
static bool has_new_owner(const struct schedule_thread *thread, char task_state)
{
	return thread->phase == PHASE_NEW && has_exited(thread->task_state) &&
	       !has_exited(task_state);
}

/* The new owner was switched in under its former tid, by the last switch on its CPU. */
static void start_new_owner(struct schedule *schedule, struct schedule_thread *thread,
			    const struct schedule_event *event)
{
	const struct schedule_cpu *here = cpu_of(schedule, event->cpu);
	bool is_known = here && here->tid && here->tid != event->tid;

	start(thread, PHASE_RUNS, is_known ? here->time_ns : event->time_ns);
	thread->cpu = event->cpu;
}

static void switch_out(struct schedule *schedule, const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, event->tid);
	bool is_exiting;

	if (has_new_owner(thread, event->task_state))
		start_new_owner(schedule, thread, event);
	is_exiting = thread->is_exiting && !has_exited(event->task_state);
	send_run(schedule, thread, event);
	start(thread, has_exited(event->task_state) ? PHASE_NEW : PHASE_WAITS, event->time_ns);
	thread->is_exiting = is_exiting;
	thread->task_state = event->task_state;
	thread->label = event->label;
	thread->cpu = event->cpu;
}

static void end_thread(struct schedule_thread *thread, uint64_t time_ns)
{
	start(thread, PHASE_NEW, time_ns);
	thread->task_state = 'X';
}

/* The thread that runs on this CPU gets another tid. */
static void end_former(struct schedule *schedule, uint32_t tid, const struct schedule_event *event)
{
	struct schedule_thread *former = thread_of(schedule, tid);

	if (former->phase != PHASE_RUNS || former->cpu != event->cpu)
		return;
	send(schedule, former, SCHEDULE_RUNNING, event->time_ns, false);
	end_thread(former, event->time_ns);
}

/* The thread that gets the tid of one that has exited is on a CPU. */
static void take_over(struct schedule *schedule, const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, event->tid);

	if (!thread->is_exiting && !has_new_owner(thread, 'R'))
		return;
	start(thread, PHASE_RUNS, event->time_ns);
	thread->task_state = 'R';
	thread->cpu = event->cpu;
}

/*
 * Records that another thread is on the CPU of this thread, so that the switch-out of this thread
 * is missing.
 */
static void lose_running(struct schedule *schedule, uint32_t tid,
			 const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, tid);

	if (thread->phase != PHASE_RUNS || thread->cpu != event->cpu)
		return;
	if (!thread->is_exiting) {
		thread->phase = PHASE_LOST;
		return;
	}
	if (event->kind == SCHEDULE_OUT && event->tid == EVENT_NO_TID)
		send(schedule, thread, SCHEDULE_RUNNING, event->time_ns, false);
	end_thread(thread, event->time_ns);
}

static void switch_in(struct schedule *schedule, uint32_t tid, const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, tid);
	bool is_exiting = thread->is_exiting;

	/* This is another thread with the same tid. */
	if (is_exiting && (thread->phase == PHASE_RUNS || is_switched_out_last(thread))) {
		end_thread(thread, event->time_ns);
		is_exiting = false;
	}
	switch (thread->phase) {
	case PHASE_NEW:
		break;
	case PHASE_WAITS:
		send_wait(schedule, thread, event->time_ns, false);
		break;
	case PHASE_WOKEN:
		/* It has not run on any CPU yet. */
		thread->cpu = event->cpu;
		send(schedule, thread, SCHEDULE_RUNNABLE, event->time_ns, false);
		break;
	case PHASE_RUNS:
	case PHASE_LOST:
		send_unknown(schedule, thread, event->cpu, event->time_ns);
		break;
	}
	start(thread, PHASE_RUNS, event->time_ns);
	thread->is_exiting = is_exiting;
	thread->cpu = event->cpu;
}

static void wake(struct schedule *schedule, const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, event->next_tid);

	/*
	 * A thread that has exited does not run again; another thread with the same tid is switched
	 * in.
	 */
	if (thread->phase == PHASE_NEW && !has_exited(thread->task_state))
		start(thread, PHASE_WOKEN, event->time_ns);
	if (thread->phase != PHASE_WAITS || thread->is_woken || thread->task_state == 'R')
		return;
	thread->is_woken = true;
	thread->woken_ns = event->time_ns;
	thread->waker = event->waker;
	thread->waker_tid = event->tid;
}

/* If many switches are missing, it is not known where a thread without switches was in between. */
static bool is_only_sampled(const struct schedule *schedule, const struct schedule_thread *thread)
{
	return schedule->source == SCHEDULE_SWITCHES && thread->phase == PHASE_NEW &&
	       !has_exited(thread->task_state);
}

/* Splits the run of a thread, because the sample represents the time before it. */
static void sample(struct schedule *schedule, const struct schedule_event *event)
{
	struct schedule_thread *thread = thread_of(schedule, event->tid);
	uint64_t begin_ns =
		event->time_ns > event->duration_ns ? event->time_ns - event->duration_ns : 0;
	uint32_t label = thread->label;
	bool is_alone = is_only_sampled(schedule, thread);

	if (is_alone)
		start(thread, PHASE_RUNS, later(begin_ns, thread->since_ns));
	else if (schedule->source == SCHEDULE_SAMPLES &&
		 (thread->phase == PHASE_NEW || thread->since_ns < begin_ns))
		start(thread, PHASE_RUNS, begin_ns);
	else if (thread->phase == PHASE_NEW && !has_exited(thread->task_state))
		start_late(schedule, thread, event->cpu);
	if (thread->phase != PHASE_RUNS)
		return;
	if (is_alone || schedule->source == SCHEDULE_SAMPLES)
		thread->cpu = event->cpu;
	if (thread->since_ns < begin_ns) {
		thread->label = SCHEDULE_LABEL_NONE;
		send(schedule, thread, SCHEDULE_RUNNING, begin_ns, false);
		thread->since_ns = begin_ns;
	}
	thread->label = event->label;
	send(schedule, thread, SCHEDULE_RUNNING, event->time_ns, false);
	thread->label = label;
	thread->since_ns = event->time_ns;
	if (is_alone)
		thread->phase = PHASE_NEW;
}

static void note_switch(struct schedule *schedule, const struct schedule_event *event, uint32_t tid)
{
	struct schedule_cpu *cpu = cpu_of(schedule, event->cpu);

	if (cpu)
		*cpu = (struct schedule_cpu){ tid, event->time_ns, true };
}

/* Whether intervals of the thread are wanted. */
static bool has_thread(const struct schedule *schedule, uint32_t tid)
{
	return tid && tid != EVENT_NO_TID && schedule_part_has(&schedule->part, tid);
}

/*
 * Records that the thread that was last switched in on this CPU no longer runs there, unless it is
 * the thread of this event.
 */
static void check_cpu(struct schedule *schedule, const struct schedule_event *event)
{
	const struct schedule_cpu *cpu = cpu_of(schedule, event->cpu);

	if (cpu && cpu->tid != event->tid && has_thread(schedule, cpu->tid))
		lose_running(schedule, cpu->tid, event);
}

static void exec(struct schedule *schedule, const struct schedule_event *event)
{
	const struct schedule_cpu *cpu = cpu_of(schedule, event->cpu);

	if (cpu && cpu->tid != event->tid && has_thread(schedule, cpu->tid))
		end_former(schedule, cpu->tid, event);
	if (has_thread(schedule, event->tid))
		take_over(schedule, event);
	note_switch(schedule, event, event->tid);
}

void schedule_add(struct schedule *schedule, const struct schedule_event *event)
{
	switch (event->kind) {
	case SCHEDULE_SWITCH:
		check_cpu(schedule, event);
		if (has_thread(schedule, event->tid))
			switch_out(schedule, event);
		if (has_thread(schedule, event->next_tid))
			switch_in(schedule, event->next_tid, event);
		note_switch(schedule, event, event->next_tid);
		break;
	case SCHEDULE_OUT:
		check_cpu(schedule, event);
		if (has_thread(schedule, event->tid))
			switch_out(schedule, event);
		note_switch(schedule, event, 0);
		break;
	case SCHEDULE_IN:
		check_cpu(schedule, event);
		if (has_thread(schedule, event->tid))
			switch_in(schedule, event->tid, event);
		note_switch(schedule, event, event->tid == EVENT_NO_TID ? 0 : event->tid);
		break;
	case SCHEDULE_EXIT:
		check_cpu(schedule, event);
		if (has_thread(schedule, event->tid))
			begin_exit(schedule, event);
		note_switch(schedule, event, event->tid);
		break;
	case SCHEDULE_EXEC:
		exec(schedule, event);
		break;
	case SCHEDULE_WAKE:
		if (has_thread(schedule, event->next_tid))
			wake(schedule, event);
		break;
	case SCHEDULE_SAMPLE:
		if (has_thread(schedule, event->tid))
			sample(schedule, event);
		break;
	}
}

void schedule_finish(struct schedule *schedule, uint64_t end_ns)
{
	for (size_t i = 0; schedule->source != SCHEDULE_SAMPLES && i < schedule->threads.count;
	     i++) {
		struct schedule_thread *thread = &schedule->threads.at[i];

		switch (thread->phase) {
		case PHASE_NEW:
			break;
		case PHASE_RUNS:
			/* Its last switch-out does not name it. */
			if (thread->is_exiting)
				break;
			thread->label = SCHEDULE_LABEL_NONE;
			send(schedule, thread, SCHEDULE_RUNNING, end_ns, true);
			break;
		case PHASE_WAITS:
			if (!is_switched_out_last(thread))
				send_wait(schedule, thread, end_ns, true);
			break;
		case PHASE_WOKEN:
			send(schedule, thread, SCHEDULE_RUNNABLE, end_ns, true);
			break;
		case PHASE_LOST:
			send(schedule, thread, SCHEDULE_UNKNOWN, end_ns, true);
			break;
		}
	}
}
