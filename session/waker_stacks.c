/* SPDX-License-Identifier: MIT */
#include "session/waker_stacks.h"

#include "base/workers.h"
#include "process/comm.h"
#include "session/waker_interrupts.h"

/* A wake's stack, by the numbers of the worker that read it. */
struct found {
	uint32_t wake, stack;
};

struct worker {
	const struct session *session;
	const struct intervals *wanted; /* by place; their waker is the wake there */
	struct unwinding_worker *unwinding;
	struct ingest ingest;
	struct sample_position place;
	size_t cursor;
	struct wakers own; /* stacks of what this worker reads */
	VEC(struct found) found;
	bool failed;
	struct error err;
};

struct pass {
	struct worker *workers;
	size_t count;
};

static void take(void *context, const struct event *event)
{
	struct worker *worker = context;
	const struct interval *wanted;
	struct waker_stack stack = { .ips = NULL };
	const struct wake *wake;
	size_t count;

	if (event->kind != EVENT_SAMPLE)
		return;
	sample_position_next(&worker->place, event->offset);
	wanted = intervals_find(worker->wanted, &worker->place, &worker->cursor, &count);
	if (!wanted)
		return;
	stack.key = ingest_key_of(&worker->ingest, event);
	stack.ips =
		ingest_callchain_of(&worker->ingest, &event->sample, &stack.key, &stack.ip_count);
	wake = &worker->session->pairing.wakers.wakes.at[wanted->waker];
	stack.is_interrupt = wake->is_interrupt;
	stack.is_deferred = wake->is_deferred;
	vec_push(&worker->found,
		 (struct found){ wanted->waker, wakers_intern_stack(&worker->own, &stack) });
}

static void read_wakes(void *context, size_t index)
{
	struct pass *pass = context;
	struct worker *worker = &pass->workers[index];
	const struct capture *capture = &worker->session->capture;
	struct event_sink sink = { .context = worker, .on_event = take };
	size_t begin = capture->slices.count * index / pass->count;
	size_t end = capture->slices.count * (index + 1) / pass->count;

	for (size_t i = begin; i < end && !worker->failed; i++)
		worker->failed =
			!capture_read_samples(capture, capture->slices.at[i], &sink, &worker->err);
}

static struct intervals find_wanted(const struct wakers *wakers)
{
	struct intervals wanted = { 0 };

	for (size_t i = 0; i < wakers->wakes.count; i++) {
		const struct wake *wake = &wakers->wakes.at[i];

		if (wake->is_wanted)
			vec_push(&wanted, (struct interval){
						  .offset = wake->offset,
						  .ordinal = wake->ordinal,
						  .waker = (uint32_t)i,
					  });
	}
	intervals_sort(&wanted);
	return wanted;
}

/* Gives the stacks a worker found numbers of all, in the order it met them. */
static void merge(struct wakers *all, const struct worker *worker)
{
	for (size_t i = 0; i < worker->found.count; i++) {
		const struct found *found = &worker->found.at[i];

		all->wakes.at[found->wake].stack =
			wakers_intern_stack(all, &worker->own.stacks.at[found->stack]);
	}
}

static void name_wakers(struct wakers *wakers, struct strings *strings)
{
	char buffer[COMM_BYTES];

	for (size_t i = 0; i < wakers->stacks.count; i++) {
		struct waker_stack *stack = &wakers->stacks.at[i];
		struct text comm = stack->is_interrupt ? text_of("[interrupt]")
						       : comm_text(strings, stack->key.comm,
								   stack->key.unnamed_tid, buffer);

		stack->comm = strings_intern(strings, comm.at, comm.length);
	}
}

static void init_workers(struct pass *pass, const struct session *session,
			 const struct intervals *wanted)
{
	size_t slice_count = session->capture.slices.count;
	struct ingest_options options = session_ingest_options(session, false);

	pass->count = session->options.thread_count;
	if (pass->count > slice_count)
		pass->count = slice_count ? slice_count : 1;
	pass->workers = memory_zalloc(pass->count, sizeof(*pass->workers));
	for (size_t i = 0; i < pass->count; i++) {
		struct worker *worker = &pass->workers[i];

		worker->session = session;
		worker->wanted = wanted;
		worker->unwinding = unwinding_worker_create(session->unwinding);
		options.unwinder = unwinding_hook(worker->unwinding);
		ingest_init(&worker->ingest, &session->state, &session->profile, &options);
		wakers_init(&worker->own);
	}
}

static void deinit_workers(struct pass *pass)
{
	for (size_t i = 0; i < pass->count; i++) {
		struct worker *worker = &pass->workers[i];

		unwinding_worker_destroy(worker->unwinding);
		ingest_deinit(&worker->ingest);
		wakers_deinit(&worker->own);
		vec_free(&worker->found);
	}
	memory_free(pass->workers);
}

bool waker_stacks_find(struct session *session, struct error *err)
{
	struct wakers *wakers = &session->pairing.wakers;
	struct intervals wanted = find_wanted(wakers);
	struct pass pass;
	bool good = true;

	wakers->separator = strings_intern_text(session->profile.strings, "--");
	if (!wanted.count)
		return true;
	init_workers(&pass, session, &wanted);
	workers_run(session->options.thread_count, pass.count, read_wakes, &pass);
	for (size_t i = 0; good && i < pass.count; i++) {
		good = !pass.workers[i].failed;
		if (good)
			merge(wakers, &pass.workers[i]);
		else
			*err = pass.workers[i].err;
	}
	deinit_workers(&pass);
	vec_free(&wanted);
	if (!good)
		return false;
	waker_interrupts_cut(session);
	name_wakers(wakers, session->profile.strings);
	wakers_link(wakers, &session->pairing.intervals);
	return true;
}
