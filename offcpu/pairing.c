/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing.h"

#include "base/arithmetic.h"
#include "base/workers.h"
#include "offcpu/pairing_threads.h"
#include "offcpu/running.h"
#include "profile/resolve.h"

/* Pairs the rows of some keys. */
struct pairing {
	const struct pairing_options *options;
	const uint8_t *share_of_group; /* NULL if it pairs the rows of all keys */
	uint8_t share;
	const struct time_windows *windows;
	const struct pairing_filter *filter;
	bool is_filtered; /* the filter or the windows exclude some intervals */
	const struct loss_spans *losses;
	struct pairing_threads threads;
	struct cpu_switches switches;
	struct running running; /* by thread; only with --wall */
	struct cpu_survey survey;
	uint64_t first_ns; /* time of the first row */
	struct pairing_result *result;
};

static inline struct thread_state *thread_of(struct pairing *pairing, uint64_t key)
{
	return pairing_threads_find(&pairing->threads, key);
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

/* cpu: the CPU of the begin of the interval or, if its begin is missing, of its end. */
static __attribute__((noinline)) bool is_selected(const struct pairing *pairing,
						  const struct thread_state *thread,
						  uint64_t from_ns, uint64_t until_ns, uint16_t cpu)
{
	return is_in_windows(pairing, from_ns, until_ns) &&
	       pairing_filter_has(pairing->filter, (uint32_t)thread->key, cpu,
				  thread->is_open ? from_ns : until_ns);
}

/* Returns the counts of a thread's open interval, or of one whose begin is missing. */
static struct pairing_counts *counts_of(const struct pairing *pairing,
					const struct thread_state *thread, uint64_t from_ns,
					uint64_t until_ns, uint16_t cpu)
{
	if (LIKELY(!pairing->is_filtered) || is_selected(pairing, thread, from_ns, until_ns, cpu))
		return &pairing->result->counts;
	return &pairing->result->other_counts;
}

/*
 * Adds the interval of a thread to these counts if it was requested. Returns whether it counts.
 */
static bool add_interval(struct pairing *pairing, const struct thread_state *thread,
			 uint64_t end_ns, struct pairing_counts *counts)
{
	const struct pairing_options *options = pairing->options;
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
	return (uint32_t)(thread - pairing->threads.rows.at);
}

/* Records that the thread runs from now on. */
static void start_run(struct pairing *pairing, struct thread_state *thread, uint64_t time_ns)
{
	if (pairing->options->is_wall)
		running_start(&pairing->running, number_of(pairing, thread), time_ns);
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

/*
 * Records a running thread. If neither the thread nor its CPU, if that is known, has an earlier
 * event, the thread has been running since the capture began.
 */
static void note_running(struct pairing *pairing, struct thread_state *thread, uint16_t cpu,
			 uint64_t time_ns)
{
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, cpu);

	if (!thread->was_seen && !thread->has_reused_tid && last && last->time_ns)
		lose_run(pairing, thread, last->time_ns, time_ns);
	else if (!thread->was_seen && !thread->has_reused_tid)
		start_run(pairing, thread, pairing->first_ns);
	else if (!thread->is_open)
		start_run(pairing, thread, time_ns);
	thread->seen_ns = time_ns;
}

/* Records that the thread exited, so that its tid may be reused. */
static void end_thread(struct pairing *pairing, uint64_t key)
{
	pairing_threads_end(&pairing->threads, key, pairing->options->is_wall);
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
	struct pairing_counts *counts =
		counts_of(pairing, thread, thread->begin_ns, row->time_ns, thread->begin_cpu);
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
	if (!add_interval(pairing, thread, until_ns, counts))
		return;
	counts->ends_supposed++;
	counts->supposed_ns = saturate_add(counts->supposed_ns, row->time_ns - until_ns);
}

/* An exiting thread does not sleep: unless it was preempted, it does not run again. */
static bool is_switched_out_last(const struct thread_state *thread)
{
	return thread->is_exiting && thread->is_open && !thread->state.is_preempted;
}

static bool has_key(const struct pairing *pairing, uint64_t key)
{
	return !pairing->share_of_group ||
	       pairing->share_of_group[key % PAIRING_KEY_GROUPS] == pairing->share;
}

/* Ends a thread that gets another tid. */
static void end_former(struct pairing *pairing, uint32_t tid, uint64_t time_ns)
{
	stop_run(pairing, thread_of(pairing, tid), time_ns);
	end_thread(pairing, tid);
}

/*
 * Whether a thread may be the one that calls exec, which runs on this CPU. If switches are missing,
 * it may also be blocked, or run on another CPU.
 */
static bool may_exec(struct pairing *pairing, uint32_t tid, uint16_t cpu)
{
	const struct thread_state *thread = thread_of(pairing, tid);

	return !thread->is_open && (!thread->cpu || thread->cpu == cpu);
}

/*
 * A thread that calls exec gets the tid of the leader of its process, which has exited. The two
 * tids may belong to different shares.
 */
static void take_over(struct pairing *pairing, const struct pairing_row *row)
{
	const struct cpu_switch *last = cpu_switches_find(&pairing->switches, row->cpu);
	uint32_t former = last ? last->next : 0;

	if (former && former != row->tid && has_key(pairing, former) &&
	    may_exec(pairing, former, row->cpu))
		end_former(pairing, former, row->time_ns);
	if (!has_key(pairing, row->tid) || !thread_of(pairing, row->tid)->is_exiting)
		return;
	end_former(pairing, row->tid, thread_of(pairing, row->tid)->seen_ns);
	start_run(pairing, thread_of(pairing, row->tid), row->time_ns);
}

/* The exiting thread is on a CPU. */
static void begin_exit(struct pairing *pairing, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, row->tid);

	if (thread->is_open)
		end_unseen(pairing, thread, row);
	thread->is_open = false;
	note_running(pairing, thread, row->cpu, row->time_ns);
	start_run(pairing, thread, row->time_ns);
	thread->is_exiting = true;
	thread->was_seen = true;
	if (!thread->last_switch.has_any)
		thread->last_switch = thread->last_sample;
}

static void begin(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, key);
	struct task_state state = { .letter = row->state, .is_preempted = row->is_preempted };
	struct sample_position at = begin_position(thread, row);

	if (thread->is_open)
		end_unseen(pairing, thread, row);
	note_running(pairing, thread, row->cpu, row->time_ns);
	stop_run(pairing, thread, row->time_ns);
	/* The sample of a dead thread's last switch no longer has the thread's ids. */
	if (!task_state_is_dead(state) || !thread->last_switch.has_any)
		thread->last_switch = at;
	if (task_state_is_dead(state)) {
		end_thread(pairing, key);
		return;
	}
	thread->begin_ns = row->time_ns;
	thread->begin_cpu = row->cpu;
	thread->begin_at = at;
	thread->is_open = true;
	thread->was_seen = true;
	thread->has_switched = true;
	thread->is_woken = false;
	thread->state = state;
	thread->wake = WAKE_NONE;
}

static void end(struct pairing *pairing, uint64_t key, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, key);
	struct pairing_counts *counts;

	/* This is another thread with the same tid. */
	if (thread->is_exiting && (!thread->is_open || is_switched_out_last(thread))) {
		stop_run(pairing, thread, thread->seen_ns);
		end_thread(pairing, key);
		thread = thread_of(pairing, key);
	}
	if (thread->is_open) {
		counts = counts_of(pairing, thread, thread->begin_ns, row->time_ns,
				   thread->begin_cpu);
		counts->paired++;
		add_interval(pairing, thread, row->time_ns, counts);
	} else if (thread->was_seen) {
		counts = counts_of(pairing, thread, thread->seen_ns, row->time_ns, row->cpu);
		counts->without_begin++;
		lose_run(pairing, thread, thread->seen_ns, row->time_ns);
	} else {
		counts = counts_of(pairing, thread, pairing->first_ns, row->time_ns, row->cpu);
		counts->open_at_start++;
	}
	start_run(pairing, thread, row->time_ns);
	thread->is_open = false;
	thread->was_seen = true;
	thread->has_switched = true;
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

/* If many switches are missing, a thread without switches runs for the periods of its samples. */
static void note_sampled(struct pairing *pairing, struct thread_state *thread,
			 const struct pairing_row *row)
{
	uint64_t begin_ns = row->time_ns > row->period ? row->time_ns - row->period : 0;

	if (thread->has_switched || pairing->survey.is_nearly_complete) {
		note_running(pairing, thread, row->cpu, row->time_ns);
		thread->was_seen = true;
		return;
	}
	start_run(pairing, thread, begin_ns > thread->seen_ns ? begin_ns : thread->seen_ns);
	stop_run(pairing, thread, row->time_ns);
	thread->seen_ns = row->time_ns;
}

static void take_sample(struct pairing *pairing, const struct pairing_row *row)
{
	struct thread_state *thread = thread_of(pairing, row->tid);

	thread->last_sample = (struct sample_position){ row->offset, row->ordinal, true };
	if (!row->period)
		return;
	note_sampled(pairing, thread, row);
	if (time_windows_has(pairing->windows, row->time_ns))
		running_sample(&pairing->running, number_of(pairing, thread), row->period,
			       row->time_ns, &thread->last_sample);
}

static void on_switch(struct pairing *pairing, const struct pairing_row *row)
{
	/* tid 0 is the idle task of each CPU; it does not block. */
	if (row->next && has_key(pairing, row->next))
		end(pairing, row->next, row);
	if (row->previous && has_key(pairing, row->previous))
		begin(pairing, row->previous, row);
	cpu_switches_note(&pairing->switches, row);
}

/* Handles a row that is not a switch. */
static void on_row(struct pairing *pairing, const struct pairing_row *row)
{
	switch ((enum pairing_role)row->role) {
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
		if (pairing_row_names_thread(row))
			begin(pairing, row->tid, row);
		break;
	case PAIRING_SWITCH_IN:
		if (pairing_row_names_thread(row))
			end(pairing, row->tid, row);
		break;
	case PAIRING_EXIT:
		if (pairing_row_names_thread(row))
			begin_exit(pairing, row);
		break;
	case PAIRING_EXEC:
	case PAIRING_SWITCH:
	case PAIRING_DISK_ISSUE:
	case PAIRING_DISK_COMPLETE:
	case PAIRING_NONE:
		break;
	}
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
	struct pairing_counts *counts;

	stop_run(pairing, thread,
		 thread->is_exiting || was_replaced(pairing, thread) ? thread->seen_ns : end_ns);
	if (is_switched_out_last(thread))
		return;
	if (!is_wanted(pairing, thread) || !is_in_windows(pairing, thread->begin_ns, end_ns))
		return;
	counts = counts_of(pairing, thread, thread->begin_ns, end_ns, thread->begin_cpu);
	if (!counts_open(pairing)) {
		counts->open_left_out++;
		return;
	}
	counts->open_counted += add_interval(pairing, thread, end_ns, counts);
}

/* The rows of the keys of one worker. */
struct pairing_share {
	struct pairing pairing;
	struct pairing_result result;
	char gap[CACHE_LINE_BYTES]; /* so that workers do not write to the same cache line */
};

struct pairing_shares {
	const struct pairing_row *rows;
	size_t row_count;
	uint64_t end_ns;
	uint8_t *share_of_group; /* NULL if there is only one share */
	struct pairing_share *at;
	size_t count;
};

/* The results of several shares are their own; that of a single one is ret. */
static void begin_shares(struct pairing_shares *shares, const struct pairing_plan *plan,
			 struct loss_spans *losses, struct pairing_result *ret)
{
	struct cpu_survey survey = cpu_switches_survey(shares->rows, shares->row_count, losses);
	uint64_t first_ns = shares->row_count ? shares->rows[0].time_ns : 0;

	shares->count = pairing_share_count(plan, shares->row_count);
	shares->at = memory_zalloc(shares->count, sizeof(*shares->at));
	if (shares->count > 1)
		shares->share_of_group =
			pairing_rows_divide(shares->rows, shares->row_count, shares->count);
	for (size_t i = 0; i < shares->count; i++) {
		struct pairing_share *share = &shares->at[i];

		share->pairing = (struct pairing){
			.options = &plan->options,
			.share_of_group = shares->share_of_group,
			.share = (uint8_t)i,
			.windows = plan->windows,
			.filter = &plan->filter,
			.is_filtered = plan->filter.selection ||
				       (plan->windows && plan->windows->is_limited),
			.losses = losses,
			.survey = survey,
			.running = { .windows = plan->windows,
				     .first_ns = first_ns,
				     .keeps_spans = plan->options.has_single_runs },
			.result = shares->count > 1 ? &share->result : ret,
			.first_ns = first_ns,
		};
		pairing_threads_init(&share->pairing.threads);
	}
}

static void free_shares(struct pairing_shares *shares)
{
	for (size_t i = 0; i < shares->count; i++) {
		struct pairing *pairing = &shares->at[i].pairing;

		pairing_threads_deinit(&pairing->threads);
		cpu_switches_deinit(&pairing->switches);
		running_deinit(&pairing->running);
	}
	memory_free(shares->at);
	memory_free(shares->share_of_group);
}

static void pair_share(void *context, size_t index)
{
	const struct pairing_shares *shares = context;
	struct pairing *pairing = &shares->at[index].pairing;

	for (size_t i = 0; i < shares->row_count; i++) {
		const struct pairing_row *row = &shares->rows[i];

		if (row->role == PAIRING_SWITCH)
			on_switch(pairing, row);
		else if (row->role == PAIRING_EXEC)
			take_over(pairing, row);
		else if (has_key(pairing, pairing_row_key(row)))
			on_row(pairing, row);
		if (pairing_row_is_record(row))
			cpu_switches_note_record(&pairing->switches, row);
	}
	for (size_t i = 0; i < pairing->threads.rows.count; i++)
		finish(pairing, &pairing->threads.rows.at[i], shares->end_ns);
}

static void join_counts(struct pairing_result *ret, const struct pairing_result *more)
{
	pairing_counts_add(&ret->counts, &more->counts);
	pairing_counts_add(&ret->other_counts, &more->other_counts);
}

/* Adds up the counts of all shares, and sorts their intervals. */
static void join_shares(const struct pairing_shares *shares, unsigned thread_count,
			struct pairing_result *ret)
{
	struct intervals **lists = memory_alloc(shares->count, sizeof(*lists));

	for (size_t i = 0; i < shares->count; i++) {
		struct pairing_result *result = shares->at[i].pairing.result;

		lists[i] = &result->intervals;
		if (result != ret)
			join_counts(ret, result);
	}
	intervals_sort(lists, shares->count, thread_count, &ret->intervals);
	memory_free(lists);
}

void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 struct loss_spans *losses, uint64_t end_ns, struct pairing_result *ret)
{
	struct pairing_shares shares = { .rows = rows, .row_count = count, .end_ns = end_ns };
	struct pairing_counts all;
	struct pairing *first;

	begin_shares(&shares, plan, losses, ret);
	first = &shares.at[0].pairing;
	workers_run(plan->thread_count, shares.count, pair_share, &shares);
	if (plan->options.is_wall)
		ret->counts.unplaced_ns = running_push(&first->running, &first->threads,
						       &plan->filter, &ret->intervals);
	ret->wakers.are_upright = plan->options.is_critical;
	if (plan->options.is_critical)
		critical_divide(plan, rows, count, end_ns,
				first->survey.is_nearly_complete ? SCHEDULE_MOST_SWITCHES
								 : SCHEDULE_SWITCHES,
				&ret->intervals, &ret->wakers, &ret->critical);
	join_shares(&shares, plan->thread_count, ret);
	/* Captures of whole CPUs contain switches to the idle task; captures of threads do not. */
	all = ret->counts;
	pairing_counts_add(&all, &ret->other_counts);
	ret->counts.has_only_switches_out =
		!plan->options.span && !first->survey.has_idle && pairing_lacks_most(&all);
	ret->counts.lacks_most =
		!plan->options.span && pairing_lacks_most(&all) && pairing_lacks_most(&ret->counts);
	free_shares(&shares);
}
