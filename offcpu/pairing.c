/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "offcpu/running.h"
#include "profile/resolve.h"

/* The state of one thread, or of one key of --span. */
struct thread_state {
	uint64_t key;
	uint64_t begin_ns, woken_ns;
	uint64_t seen_ns; /* when the thread last ran */
	uint16_t cpu;     /* the CPU on which it was last switched in, as in a row */
	bool is_open;
	bool was_seen; /* if false, its next event may end an interval from before the capture */
	bool is_woken;
	bool has_reused_tid; /* a different thread had this tid before */
	struct task_state state;
	uint32_t wake;                   /* the wake that ends the current wait, or WAKE_NONE */
	uint32_t last_wake;              /* the wake that ended the last finished wait */
	struct sample_position begin_at; /* the sample that begins it, if it has a stack */
	struct sample_position last_sample, last_switch; /* its latest sample and switch */
};

/*
 * The last switch on each CPU, to find missing switches: the thread that is switched out must be
 * the one that was switched in last.
 */
struct cpu_switch {
	uint64_t time_ns;
	uint32_t next; /* the thread switched in */
};

struct cpu_switches {
	VEC(struct cpu_switch) rows; /* by CPU, numbered as in struct pairing_row */
};

/* Properties of a capture, derived from all its switches. */
struct cpu_survey {
	/*
	 * at most one switch in a hundred is missing; with wake-ups, missing switches out of the
	 * idle task are not counted
	 */
	bool is_nearly_complete;
	bool has_wakes; /* there are wake-ups */
	bool has_idle;  /* there are switches from the idle task */
};

#define RECENT_THREADS 512u

struct pairing {
	const struct pairing_options *options;
	const struct time_windows *windows;
	const struct loss_spans *losses;
	struct idtable table;
	VEC(struct thread_state) threads;
	/* the latest thread with the same lowest bits of the key, which is found without a hash */
	uint32_t recent[RECENT_THREADS];
	struct cpu_switches switches;
	struct running running; /* by thread; only with --wall */
	struct cpu_survey survey;
	uint64_t first_ns; /* time of the first row */
	struct pairing_result *result;
};

static void cpu_switches_deinit(struct cpu_switches *switches)
{
	vec_free(&switches->rows);
}

/* Returns the last switch on a CPU, or NULL if there is none or the CPU is not known. */
static const struct cpu_switch *cpu_switches_find(const struct cpu_switches *switches, uint16_t cpu)
{
	bool is_known = cpu && cpu < switches->rows.count;

	return is_known ? &switches->rows.at[cpu] : NULL;
}

static void cpu_switches_note(struct cpu_switches *switches, const struct pairing_row *row)
{
	if (!row->cpu)
		return;
	while (switches->rows.count <= row->cpu)
		vec_push(&switches->rows, (struct cpu_switch){ 0 });
	switches->rows.at[row->cpu] = (struct cpu_switch){ row->time_ns, row->next };
}

/* Sets the start of a loss to the last switch on its CPU. */
static void note_loss(const struct cpu_switches *switches, struct loss_span *loss)
{
	uint16_t cpu = pairing_row_cpu(loss->cpu);
	const struct cpu_switch *last = cpu_switches_find(switches, cpu);

	if (cpu)
		loss->begin_ns = last ? last->time_ns : 0;
}

/*
 * Checks all rows, which are sorted by time. Sets the start of each loss. Missing switches out of
 * the idle task do no harm if wake-ups were recorded, because these show when a CPU stopped being
 * idle.
 */
static struct cpu_survey cpu_switches_survey(const struct pairing_row *rows, size_t count,
					     struct loss_spans *losses)
{
	struct cpu_survey survey = { .has_idle = false };
	struct cpu_switches switches = { .rows = { 0 } };
	uint64_t switch_count = 0;
	uint64_t missing_count = 0;
	uint64_t missing_idle_count = 0;
	size_t loss = 0;

	loss_spans_sort(losses);
	for (size_t i = 0; i < count; i++) {
		const struct cpu_switch *last = cpu_switches_find(&switches, rows[i].cpu);

		while (loss < losses->rows.count && losses->rows.at[loss].end_ns <= rows[i].time_ns)
			note_loss(&switches, &losses->rows.at[loss++]);
		survey.has_wakes |= rows[i].role == PAIRING_WAKE;
		if (rows[i].role != PAIRING_SWITCH)
			continue;
		switch_count++;
		survey.has_idle |= !rows[i].previous;
		if (last && last->time_ns && last->next != rows[i].previous)
			*(last->next ? &missing_count : &missing_idle_count) += 1;
		cpu_switches_note(&switches, &rows[i]);
	}
	while (loss < losses->rows.count)
		note_loss(&switches, &losses->rows.at[loss++]);
	loss_spans_finish(losses);
	cpu_switches_deinit(&switches);
	if (!survey.has_wakes)
		missing_count += missing_idle_count;
	survey.is_nearly_complete = missing_count <= switch_count / 100;
	return survey;
}

static struct thread_state new_thread(uint64_t key)
{
	return (struct thread_state){ .key = key, .wake = WAKE_NONE, .last_wake = WAKE_NONE };
}

/*
 * The key of a thread that exited. This key is never looked up, because all other keys in the table
 * are tids.
 */
#define KEY_GONE UINT64_MAX

static uint32_t find_thread(struct pairing *pairing, uint64_t key)
{
	uint64_t hash = hash_u64(key);
	struct idtable_probe probe = idtable_find(&pairing->table, hash);
	uint32_t id;

	while ((id = idtable_next(&pairing->table, &probe)) != IDTABLE_NONE)
		if (pairing->threads.at[id].key == key)
			return id;
	id = (uint32_t)pairing->threads.count;
	idtable_add(&pairing->table, hash, id);
	vec_push(&pairing->threads, new_thread(key));
	return id;
}

static struct thread_state *thread_of(struct pairing *pairing, uint64_t key)
{
	uint32_t *recent = &pairing->recent[key % RECENT_THREADS];

	if (*recent >= pairing->threads.count || pairing->threads.at[*recent].key != key)
		*recent = find_thread(pairing, key);
	return &pairing->threads.at[*recent];
}

static uint32_t waker_limit(const struct pairing_options *options)
{
	return options->has_waker_chain ? LIMIT_WAKERS : options->has_wakers;
}

/* critical_divide clips the parts of waits. */
static bool is_counted_whole(const struct pairing_options *options)
{
	return options->groups_by_duration || options->is_critical;
}

/*
 * Returns how much of an interval counts, which is the part in windows. For latencies, and with
 * --critical, the whole interval counts if any part of it is in a window.
 */
static uint64_t counted_ns(const struct pairing *pairing, uint64_t from_ns, uint64_t until_ns)
{
	uint64_t part_ns = time_windows_part(pairing->windows, from_ns, until_ns);

	return part_ns && is_counted_whole(pairing->options) ? until_ns - from_ns : part_ns;
}

static void push(struct pairing *pairing, const struct thread_state *thread, uint64_t from_ns,
		 uint64_t until_ns, enum interval_mark mark)
{
	struct interval interval = {
		.offset = thread->begin_at.offset,
		.ordinal = thread->begin_at.ordinal,
		.begin_ns = from_ns,
		.duration_ns = counted_ns(pairing, from_ns, until_ns),
		.mark = (uint8_t)mark,
		.state = thread->state.letter,
	};

	/* A weight of 0 would count as 1, so drop the interval. */
	if (!interval.duration_ns)
		return;
	if (mark == INTERVAL_PLAIN && pairing->options->is_wall)
		interval.mark = INTERVAL_BLOCKED;
	if (mark == INTERVAL_PLAIN) {
		interval.waker = thread->wake;
		interval.waker_count = wakers_want(&pairing->result->wakers, thread->wake,
						   thread->begin_ns, waker_limit(pairing->options));
	}
	vec_push(&pairing->result->intervals, interval);
}

/*
 * Whether any part of an interval is in a window. Without windows, this is always true; with
 * windows, it is false for an empty interval.
 */
static bool is_in_windows(const struct pairing *pairing, uint64_t from_ns, uint64_t until_ns)
{
	return !pairing->windows || !pairing->windows->is_limited ||
	       time_windows_part(pairing->windows, from_ns, until_ns);
}

/* Counts the interval of a thread if it was requested. Returns whether it counts. */
static bool add_interval(struct pairing *pairing, const struct thread_state *thread,
			 uint64_t end_ns)
{
	const struct pairing_options *options = pairing->options;
	struct pairing_counts *counts = &pairing->result->counts;
	uint64_t duration_ns = end_ns - thread->begin_ns;
	enum interval_mark mark;

	if (!pairing_options_want(options, thread->state, &mark) ||
	    duration_ns < options->shortest_ns ||
	    (options->longest_ns && duration_ns > options->longest_ns) ||
	    !is_in_windows(pairing, thread->begin_ns, end_ns))
		return false;
	if (!thread->begin_at.has_any) {
		counts->without_stack++;
		return false;
	}
	counts->intervals++;
	counts->total_ns =
		saturate_add(counts->total_ns, counted_ns(pairing, thread->begin_ns, end_ns));
	counts->over_losses += loss_spans_overlap(pairing->losses, thread->begin_ns, end_ns);
	if (mark == INTERVAL_PLAIN && options->has_run_queue && thread->is_woken) {
		push(pairing, thread, thread->begin_ns, thread->woken_ns, INTERVAL_PLAIN);
		push(pairing, thread, thread->woken_ns, end_ns, INTERVAL_RUN_QUEUE);
		return true;
	}
	push(pairing, thread, thread->begin_ns, end_ns, mark);
	return true;
}

/* Whether a thread is in an interval that was requested. */
static bool is_wanted(const struct pairing *pairing, const struct thread_state *thread)
{
	enum interval_mark ignored;

	return thread->is_open && pairing_options_want(pairing->options, thread->state, &ignored);
}

static uint32_t number_of(const struct pairing *pairing, const struct thread_state *thread)
{
	return (uint32_t)(thread - pairing->threads.at);
}

/* Records that the thread runs from now on. */
static void start_run(struct pairing *pairing, struct thread_state *thread, uint64_t time_ns)
{
	if (pairing->options->is_wall)
		running_start(&pairing->running, number_of(pairing, thread), time_ns);
}

/*
 * Records a running thread. If it has no earlier event, it has been running since the capture
 * began.
 */
static void note_running(struct pairing *pairing, struct thread_state *thread, uint64_t time_ns)
{
	if (!thread->was_seen && !thread->has_reused_tid)
		start_run(pairing, thread, pairing->first_ns);
	else if (!thread->is_open)
		start_run(pairing, thread, time_ns);
	thread->seen_ns = time_ns;
}

static void stop_run(struct pairing *pairing, struct thread_state *thread, uint64_t time_ns)
{
	if (pairing->options->is_wall)
		running_stop(&pairing->running, number_of(pairing, thread), time_ns);
}

/* Records that it is unknown whether the thread ran between these times. */
static void lose_run(struct pairing *pairing, struct thread_state *thread, uint64_t from_ns,
		     uint64_t until_ns)
{
	stop_run(pairing, thread, from_ns);
	if (pairing->options->is_wall)
		running_lose(&pairing->running, number_of(pairing, thread), from_ns, until_ns);
}

/* Records that the thread exited, so that its tid may be reused. */
static void end_thread(struct pairing *pairing, struct thread_state *thread, uint64_t key)
{
	if (!pairing->options->is_wall) {
		*thread = new_thread(key);
		thread->has_reused_tid = true;
		return;
	}
	thread->key = KEY_GONE;
	thread->is_open = false;
	thread_of(pairing, key)->has_reused_tid = true;
}

/*
 * Returns the position of the sample with an interval's stack, or an empty position if it has no
 * stack.
 */
static struct sample_position begin_position(const struct thread_state *thread,
					     const struct pairing_row *row)
{
	if (row->role == PAIRING_SWITCH_OUT)
		return thread->last_sample;
	return (struct sample_position){ row->offset, row->ordinal, true };
}

/*
 * Handles a switch-out of a thread if its switch-in is missing. The thread was switched in after
 * the last switch on this CPU, and after it was woken; until then it counts as blocked. If many
 * switches are missing, the thread may also have run on other CPUs, so the interval is dropped.
 */
static void end_unseen(struct pairing *pairing, struct thread_state *thread,
		       const struct pairing_row *row)
{
	struct pairing_counts *counts = &pairing->result->counts;
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, row->cpu);
	uint64_t until_ns = last ? last->time_ns : 0;

	if (last && thread->is_woken && thread->woken_ns > until_ns)
		until_ns = thread->woken_ns;
	if (!pairing->survey.is_nearly_complete || until_ns <= thread->begin_ns ||
	    (pairing->survey.has_wakes && !last->next && !thread->is_woken) ||
	    loss_spans_overlap(pairing->losses, thread->begin_ns, row->time_ns)) {
		counts->without_end += is_wanted(pairing, thread);
		lose_run(pairing, thread, thread->begin_ns, row->time_ns);
		return;
	}
	counts->paired++;
	start_run(pairing, thread, until_ns);
	if (!add_interval(pairing, thread, until_ns))
		return;
	counts->ends_supposed++;
	counts->supposed_ns = saturate_add(counts->supposed_ns, row->time_ns - until_ns);
}

static void begin(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, key);
	struct task_state state = { .letter = row->state, .is_preempted = row->is_preempted };
	struct sample_position at = begin_position(thread, row);

	/* This switch-out follows the exit record of the same thread. */
	if (row->role == PAIRING_SWITCH_OUT && thread->has_reused_tid && !thread->was_seen)
		return;
	if (thread->is_open)
		end_unseen(pairing, thread, row);
	note_running(pairing, thread, row->time_ns);
	stop_run(pairing, thread, row->time_ns);
	/* The sample of a dead thread's last switch no longer has the thread's ids. */
	if (!task_state_is_dead(state) || !thread->last_switch.has_any)
		thread->last_switch = at;
	if (task_state_is_dead(state)) {
		end_thread(pairing, thread, key);
		return;
	}
	thread->begin_ns = row->time_ns;
	thread->begin_at = at;
	thread->is_open = true;
	thread->was_seen = true;
	thread->is_woken = false;
	thread->state = state;
	thread->wake = WAKE_NONE;
}

static void end(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, key);

	if (thread->is_open) {
		pairing->result->counts.paired++;
		add_interval(pairing, thread, row->time_ns);
	} else if (thread->was_seen) {
		pairing->result->counts.without_begin++;
		lose_run(pairing, thread, thread->seen_ns, row->time_ns);
	} else {
		pairing->result->counts.open_at_start +=
			is_in_windows(pairing, pairing->first_ns, row->time_ns);
	}
	start_run(pairing, thread, row->time_ns);
	thread->is_open = false;
	thread->was_seen = true;
	thread->seen_ns = row->time_ns;
	thread->cpu = row->cpu;
	if (thread->wake != WAKE_NONE)
		thread->last_wake = thread->wake;
}

/*
 * Records the wake-up that ends a wait. If an interrupt is the waker, the interrupted thread is not
 * the waker.
 */
static uint32_t add_wake(struct pairing *pairing, const struct pairing_row *row)
{
	struct wakers *wakers = &pairing->result->wakers;
	bool has_before = pairing->options->has_waker_chain && row->previous &&
			  (!row->is_interrupt || row->is_deferred);
	uint32_t before = has_before ? thread_of(pairing, row->previous)->last_wake : WAKE_NONE;

	vec_push(&wakers->wakes, (struct wake){
					 .time_ns = row->time_ns,
					 .offset = row->offset,
					 .ordinal = row->ordinal,
					 .before = before,
					 .is_interrupt = row->is_interrupt,
					 .is_deferred = row->is_deferred,
				 });
	return (uint32_t)wakers->wakes.count - 1;
}

static void wake(struct pairing *pairing, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, row->next);
	uint32_t added = WAKE_NONE;

	if (!thread->is_open || thread->is_woken)
		return;
	if (pairing->options->has_wakers || pairing->options->has_waker_chain)
		added = add_wake(pairing, row);
	/* add_wake may have added a thread, which moves the array of threads. */
	thread = thread_of(pairing, row->next);
	thread->is_woken = true;
	thread->woken_ns = row->time_ns;
	thread->wake = added;
}

static void take_sample(struct pairing *pairing, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, row->tid);

	thread->last_sample = (struct sample_position){ row->offset, row->ordinal, true };
	if (!row->period)
		return;
	note_running(pairing, thread, row->time_ns);
	thread->was_seen = true;
	if (time_windows_has(pairing->windows, row->time_ns))
		running_sample(&pairing->running, number_of(pairing, thread), row->period,
			       row->time_ns, &thread->last_sample);
}

static void on_row(struct pairing *pairing, const struct pairing_row *row)
{
	switch ((enum pairing_role)row->role) {
	case PAIRING_SWITCH:
		/* tid 0 is the idle task of each CPU; it does not block. */
		if (row->next)
			end(pairing, row->next, row);
		if (row->previous)
			begin(pairing, row->previous, row);
		cpu_switches_note(&pairing->switches, row);
		break;
	case PAIRING_WAKE:
		wake(pairing, row);
		break;
	case PAIRING_BEGIN:
		begin(pairing, row->key, row);
		break;
	case PAIRING_END:
		end(pairing, row->key, row);
		break;
	case PAIRING_SAMPLE:
		if (row->tid && !pairing->options->is_critical)
			take_sample(pairing, row);
		break;
	case PAIRING_SWITCH_OUT:
		if (row->tid)
			begin(pairing, row->tid, row);
		break;
	case PAIRING_SWITCH_IN:
		if (row->tid)
			end(pairing, row->tid, row);
		break;
	case PAIRING_DISK_ISSUE:
	case PAIRING_DISK_COMPLETE:
	case PAIRING_NONE:
		break;
	}
}

bool pairing_lacks_most(const struct pairing_counts *counts)
{
	return counts->without_begin + counts->without_end + counts->ends_supposed > counts->paired;
}

void pairing_result_init(struct pairing_result *result)
{
	*result = (struct pairing_result){ 0 };
	wakers_init(&result->wakers);
	critical_paths_init(&result->critical);
}

void pairing_result_deinit(struct pairing_result *result)
{
	vec_free(&result->intervals);
	wakers_deinit(&result->wakers);
	critical_paths_deinit(&result->critical);
}

/* Whether another thread was switched in on the CPU where this thread last ran. */
static bool was_replaced(const struct pairing *pairing, const struct thread_state *thread)
{
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, thread->cpu);

	return last && last->next != thread->key;
}

/*
 * Whether to count intervals that are open at the end of the capture. The duration of such an
 * interval is unknown. The part of it that is in a window is known, but is not a latency.
 */
static bool counts_open(const struct pairing *pairing)
{
	switch (pairing->options->open) {
	case PAIRING_OPEN_INCLUDE:
		return true;
	case PAIRING_OPEN_EXCLUDE:
		return false;
	case PAIRING_OPEN_AUTO:
		break;
	}
	return pairing->windows && pairing->windows->is_limited &&
	       !pairing->options->groups_by_duration;
}

/* Handles the open interval of a thread or key at the end of the capture. */
static void finish(struct pairing *pairing, struct thread_state *thread, uint64_t end_ns)
{
	struct pairing_counts *counts = &pairing->result->counts;

	stop_run(pairing, thread, was_replaced(pairing, thread) ? thread->seen_ns : end_ns);
	if (!is_wanted(pairing, thread) || !is_in_windows(pairing, thread->begin_ns, end_ns))
		return;
	if (!counts_open(pairing)) {
		counts->open_left_out++;
		return;
	}
	counts->open_counted += add_interval(pairing, thread, end_ns);
}

/* Returns a sample with the thread's names, for a thread that has no samples in the windows. */
static const struct sample_position *name_position(const struct thread_state *thread)
{
	return thread->last_switch.has_any ? &thread->last_switch : &thread->last_sample;
}

/* Distributes the on-CPU time of threads over their samples, or adds it to a switch. */
static void push_runs(struct pairing *pairing)
{
	struct pairing_counts *counts = &pairing->result->counts;
	struct intervals *intervals = &pairing->result->intervals;

	for (size_t i = 0; i < pairing->threads.count; i++)
		counts->unplaced_ns = saturate_add(
			counts->unplaced_ns,
			running_push_unsampled(&pairing->running, (uint32_t)i,
					       name_position(&pairing->threads.at[i]), intervals));
	running_push_samples(&pairing->running, intervals);
}

void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 struct loss_spans *losses, uint64_t end_ns, struct pairing_result *ret)
{
	struct pairing pairing = {
		.options = &plan->options,
		.windows = plan->windows,
		.losses = losses,
		.running = { .windows = plan->windows,
			     .first_ns = count ? rows[0].time_ns : 0,
			     .keeps_spans = plan->options.has_single_runs },
		.result = ret,
		.first_ns = count ? rows[0].time_ns : 0,
	};

	pairing.survey = cpu_switches_survey(rows, count, losses);
	idtable_init(&pairing.table);
	for (size_t i = 0; i < count; i++)
		on_row(&pairing, &rows[i]);
	for (size_t i = 0; i < pairing.threads.count; i++)
		finish(&pairing, &pairing.threads.at[i], end_ns);
	/* Captures of whole CPUs contain switches to the idle task; captures of threads do not. */
	ret->counts.has_only_switches_out =
		!plan->options.span && !pairing.survey.has_idle && pairing_lacks_most(&ret->counts);
	if (plan->options.is_wall)
		push_runs(&pairing);
	ret->wakers.are_upright = plan->options.is_critical;
	if (plan->options.is_critical)
		critical_divide(plan, rows, count, end_ns,
				pairing.survey.is_nearly_complete ? SCHEDULE_MOST_SWITCHES
								  : SCHEDULE_SWITCHES,
				&ret->intervals, &ret->wakers, &ret->critical);
	idtable_deinit(&pairing.table);
	vec_free(&pairing.threads);
	cpu_switches_deinit(&pairing.switches);
	running_deinit(&pairing.running);
}
