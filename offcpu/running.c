/* SPDX-License-Identifier: MIT */
#include "offcpu/running.h"

#include "base/arithmetic.h"

void running_deinit(struct running *running)
{
	vec_free(&running->runs);
	vec_free(&running->shares);
	vec_free(&running->spans);
}

static struct thread_run *run_of(struct running *running, uint32_t thread)
{
	while (running->runs.count <= thread)
		vec_push(&running->runs, (struct thread_run){ 0 });
	return &running->runs.at[thread];
}

/* Adds a part of the thread's time to one of its sums, and to the list of parts. */
static void add_span(struct running *running, struct thread_run *run, uint64_t *sum_ns,
		     uint64_t from_ns, uint64_t until_ns)
{
	struct run_span span = {
		.previous = run->last_span,
		.is_unknown = sum_ns == &run->unknown_ns,
		.begin_ns = from_ns,
		.duration_ns = time_windows_part(running->windows, from_ns, until_ns),
	};

	*sum_ns = saturate_add(*sum_ns, span.duration_ns);
	if (!running->keeps_spans || !span.duration_ns || running->spans.count == UINT32_MAX)
		return;
	vec_push(&running->spans, span);
	run->last_span = (uint32_t)running->spans.count;
}

void running_start(struct running *running, uint32_t thread, uint64_t time_ns)
{
	struct thread_run *run = run_of(running, thread);

	if (run->is_running)
		return;
	run->is_running = true;
	run->begin_ns = time_ns;
}

void running_stop(struct running *running, uint32_t thread, uint64_t time_ns)
{
	struct thread_run *run = run_of(running, thread);

	if (!run->is_running)
		return;
	add_span(running, run, &run->ran_ns, run->begin_ns, time_ns);
	run->is_running = false;
}

void running_lose(struct running *running, uint32_t thread, uint64_t from_ns, uint64_t until_ns)
{
	struct thread_run *run = run_of(running, thread);

	add_span(running, run, &run->unknown_ns, from_ns, until_ns);
}

void running_sample(struct running *running, uint32_t thread, uint32_t period, uint64_t time_ns,
		    const struct sample_position *at)
{
	struct thread_run *run = run_of(running, thread);

	run->period_sum = saturate_add(run->period_sum, period);
	vec_push(&running->shares,
		 (struct run_share){
			 .thread = thread, .period = period, .time_ns = time_ns, .at = *at });
}

static void push(struct intervals *intervals, const struct sample_position *at, uint64_t begin_ns,
		 uint64_t duration_ns, enum interval_mark mark)
{
	if (duration_ns && at->has_any)
		vec_push(intervals, (struct interval){
					    .offset = at->offset,
					    .ordinal = at->ordinal,
					    .begin_ns = begin_ns,
					    .duration_ns = duration_ns,
					    .mark = (uint16_t)mark,
				    });
}

static void push_spans(const struct running *running, const struct thread_run *run,
		       const struct sample_position *at, struct intervals *intervals)
{
	for (uint32_t index = run->last_span; index;
	     index = running->spans.at[index - 1].previous) {
		const struct run_span *span = &running->spans.at[index - 1];

		if (span->is_unknown)
			push(intervals, at, span->begin_ns, span->duration_ns, INTERVAL_UNKNOWN);
		else if (!run->period_sum)
			push(intervals, at, span->begin_ns, span->duration_ns, INTERVAL_UNSAMPLED);
	}
}

/*
 * Adds intervals for the part of a thread's time that is not divided among its samples: unknown
 * time and, if the thread has no samples, all its on-CPU time. at: a sample with the thread's
 * names. Without such a sample, returns the nanoseconds that cannot be shown.
 */
static uint64_t push_unsampled(const struct running *running, uint32_t thread,
			       const struct sample_position *at, struct intervals *intervals)
{
	struct thread_run run = { .is_running = false };

	if (thread < running->runs.count)
		run = running->runs.at[thread];
	/* If the thread has samples, the on-CPU time is divided among them. */
	if (run.period_sum)
		run.ran_ns = 0;
	if (running->keeps_spans) {
		push_spans(running, &run, at, intervals);
	} else {
		push(intervals, at, 0, run.ran_ns, INTERVAL_UNSAMPLED);
		push(intervals, at, 0, run.unknown_ns, INTERVAL_UNKNOWN);
	}
	return at->has_any ? 0 : saturate_add(run.ran_ns, run.unknown_ns);
}

/* Divides the on-CPU time of all threads among their samples. */
static void push_samples(struct running *running, struct intervals *intervals)
{
	for (size_t i = 0; i < running->shares.count; i++) {
		const struct run_share *share = &running->shares.at[i];
		struct thread_run *run = &running->runs.at[share->thread];
		uint64_t period = share->period < run->period_sum ? share->period : run->period_sum;
		uint64_t begin_ns, duration_ns;

		/* The remaining sum is smaller than the actual one if the sum of all periods
		 * saturated. */
		if (!period)
			continue;
		duration_ns = ratio_of(run->ran_ns, period, run->period_sum).quotient;
		begin_ns = share->time_ns - running->first_ns > duration_ns
				   ? share->time_ns - duration_ns
				   : running->first_ns;
		push(intervals, &share->at, begin_ns, duration_ns, INTERVAL_RUNNING);
		run->ran_ns -= duration_ns;
		run->period_sum -= period;
	}
}

/* Returns a sample with the thread's names, for a thread that has no samples in the windows. */
static const struct sample_position *name_position(const struct thread_state *thread)
{
	return thread->last_switch.has_any ? &thread->last_switch : &thread->last_sample;
}

uint64_t running_push(struct running *running, const struct pairing_threads *threads,
		      const struct pairing_filter *filter, struct intervals *intervals)
{
	uint64_t unplaced_ns = 0;

	for (size_t i = 0; i < threads->rows.count; i++) {
		const struct thread_state *thread = &threads->rows.at[i];
		uint64_t more_ns =
			push_unsampled(running, (uint32_t)i, name_position(thread), intervals);

		if (more_ns &&
		    pairing_filter_has(filter, (uint32_t)thread->key, thread->cpu, thread->seen_ns))
			unplaced_ns = saturate_add(unplaced_ns, more_ns);
	}
	push_samples(running, intervals);
	return unplaced_ns;
}
