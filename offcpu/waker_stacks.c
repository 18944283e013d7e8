/* SPDX-License-Identifier: MIT */
#include "libparse/callchain.h"
#include "libparse/ftrace/kernel_entry.h"
#include "offcpu/critical.h"
#include "offcpu/offcpu.h"
#include "offcpu/wakers.h"
#include "process/process_history.h"

/* The stack of a wake, as an index into the stacks of the worker that read it. */
struct wake_stack {
	uint32_t wake, stack;
};

struct wake_reader {
	const struct offcpu_source *source;
	const struct wakers *wakers;
	const struct intervals *wanted; /* sorted by position; `waker` is the index of a wake */
	void *unwinder;
	struct ingest ingest;
	struct sample_position position;
	size_t cursor;
	struct wakers own; /* the stacks that this worker read */
	VEC(struct wake_stack) found;
};

struct wake_pass {
	struct wake_reader *workers;
	struct event_sink *sinks; /* sinks that fill them */
	size_t count;
};

static void on_event(void *context, const struct event *event)
{
	struct wake_reader *worker = context;
	const struct interval *wanted;
	struct waker_stack stack = { .ips = NULL };
	size_t count;

	if (event->kind != EVENT_SAMPLE)
		return;
	sample_position_next(&worker->position, event->offset);
	wanted = intervals_find(worker->wanted, &worker->position, &worker->cursor, &count);
	if (!wanted)
		return;
	stack.key = ingest_key_of(&worker->ingest, event);
	stack.ips =
		ingest_callchain_of(&worker->ingest, &event->sample, &stack.key, &stack.ip_count);
	for (size_t i = 0; i < count; i++) {
		const struct wake *wake = &worker->wakers->wakes.at[wanted[i].waker];

		stack.is_interrupt = wake->is_interrupt;
		stack.is_deferred = wake->is_deferred;
		vec_push(&worker->found,
			 (struct wake_stack){ wanted[i].waker,
					      wakers_intern_stack(&worker->own, &stack) });
	}
}

static struct intervals find_wanted(const struct wakers *wakers, unsigned thread_count)
{
	struct intervals wanted = { 0 };
	struct intervals *list = &wanted;

	for (size_t i = 0; i < wakers->wakes.count; i++) {
		const struct wake *wake = &wakers->wakes.at[i];

		if (wake->is_wanted)
			vec_push(&wanted, (struct interval){
						  .offset = wake->offset,
						  .ordinal = wake->ordinal,
						  .waker = (uint32_t)i,
					  });
	}
	intervals_sort(&list, 1, thread_count, &wanted);
	return wanted;
}

/* Adds the stacks that a worker found, in the worker's order. */
static void merge(struct wakers *all, const struct wake_reader *worker)
{
	for (size_t i = 0; i < worker->found.count; i++) {
		const struct wake_stack *found = &worker->found.at[i];

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

static void init_workers(struct wake_pass *pass, const struct offcpu_source *source,
			 const struct wakers *wakers, const struct intervals *wanted)
{
	size_t slice_count = source->capture->slices.count;
	struct ingest_options options = source->ingest;

	pass->count = source->thread_count;
	if (pass->count > slice_count)
		pass->count = slice_count ? slice_count : 1;
	pass->workers = memory_zalloc(pass->count, sizeof(*pass->workers));
	pass->sinks = memory_alloc(pass->count, sizeof(*pass->sinks));
	for (size_t i = 0; i < pass->count; i++) {
		struct wake_reader *worker = &pass->workers[i];

		pass->sinks[i] = (struct event_sink){ .context = worker, .on_event = on_event };
		worker->source = source;
		worker->wakers = wakers;
		worker->wanted = wanted;
		worker->unwinder = source->create_unwinder(source->context, &options.unwinder);
		ingest_init(&worker->ingest, source->state, source->profile, source->view,
			    &options);
		wakers_init(&worker->own);
	}
}

static void deinit_workers(struct wake_pass *pass)
{
	for (size_t i = 0; i < pass->count; i++) {
		struct wake_reader *worker = &pass->workers[i];

		worker->source->destroy_unwinder(worker->unwinder);
		ingest_deinit(&worker->ingest);
		wakers_deinit(&worker->own);
		vec_free(&worker->found);
	}
	memory_free(pass->workers);
	memory_free(pass->sinks);
}

/* The kernel frames of a callchain, innermost first. */
struct kernel_part {
	const location_id *locations;
	uint32_t count;
};

/* The number of entries at the beginning that are in the kernel. */
static uint32_t kernel_ip_count(const struct waker_stack *stack)
{
	uint32_t count = 0;

	while (count < stack->ip_count && stack->ips[count] != CALLCHAIN_USER)
		count++;
	return count;
}

/* Returns the number of entries up to and including this address; markers also count. */
static uint32_t ip_count_with(const struct waker_stack *stack, uint32_t address_index)
{
	uint32_t i = 0;

	for (uint32_t seen = 0; i < stack->ip_count && seen <= address_index; i++)
		seen += stack->ips[i] < CALLCHAIN_MARKER_FIRST;
	return i;
}

static struct text name_of(const struct offcpu_source *source, const struct locations *locations,
			   location_id location)
{
	return strings_get(source->profile->strings, locations->rows.at[location.i].name);
}

/* Truncates a callchain where the interrupt arrived, unless the thread itself ran the softirqs. */
static void cut(const struct offcpu_source *source, const struct locations *locations,
		const struct kernel_part *part, struct waker_stack *stack)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < part->count; i++) {
		struct text name = name_of(source, locations, part->locations[i]);

		if (stack->is_deferred && !end && kernel_entry_is_deferral(name)) {
			stack->is_interrupt = false;
			return;
		}
		if (kernel_entry_is_interrupt(name))
			end = i + 1;
		else if (end)
			break;
	}
	waker_stack_end(stack, end ? ip_count_with(stack, end - 1) : kernel_ip_count(stack));
}

/* Truncates all callchains of interrupts. */
static void cut_interrupts(const struct offcpu_source *source, struct wakers *wakers)
{
	struct view all_frames = *source->view;
	struct location_list frames = { 0 };
	struct locations locations;
	struct resolver resolver;
	size_t begin = 0;
	VEC(size_t) ends = { 0 };

	all_frames.selection = (struct selection){ 0 };
	locations_init(&locations);
	source->init_resolver(source->context, locations_places(&locations), wakers->stacks.count,
			      &resolver);
	/*
	 * Kernel frames are needed even with --user-only, because they show where the interrupt
	 * arrived.
	 */
	resolver.view = &all_frames;
	for (size_t i = 0; i < wakers->stacks.count; i++) {
		const struct waker_stack *stack = &wakers->stacks.at[i];

		if (stack->is_interrupt)
			resolver_callchain(&resolver, &stack->key, stack->ips,
					   kernel_ip_count(stack), &frames);
		vec_push(&ends, frames.count);
	}
	locations_extend(&locations);
	source->name_locations(source->context, &locations);
	for (size_t i = 0; i < wakers->stacks.count; begin = ends.at[i++])
		if (wakers->stacks.at[i].is_interrupt)
			cut(source, &locations,
			    &(struct kernel_part){ frames.at + begin,
						   (uint32_t)(ends.at[i] - begin) },
			    &wakers->stacks.at[i]);
	resolver_deinit(&resolver);
	locations_deinit(&locations);
	vec_free(&frames);
	vec_free(&ends);
}

/*
 * Links intervals to their wakers. Interval marks get the same names as their frames do in
 * offcpu_name_locations.
 */
static void link_intervals(const struct offcpu_source *source, struct pairing_result *pairing)
{
	str_id mark_names[INTERVAL_MARK_COUNT];

	if (!pairing->wakers.are_upright) {
		wakers_link(&pairing->wakers, &pairing->intervals);
		return;
	}
	for (int i = 0; i < INTERVAL_MARK_COUNT; i++)
		mark_names[i] = strings_intern_text(source->profile->strings,
						    interval_mark_name((enum interval_mark)i));
	critical_link(&pairing->critical, mark_names, &pairing->wakers, &pairing->intervals);
}

bool waker_stacks_find(const struct offcpu_source *source, struct pairing_result *pairing,
		       struct error *err)
{
	struct wakers *wakers = &pairing->wakers;
	struct intervals wanted = find_wanted(wakers, source->thread_count);
	struct wake_pass pass;
	bool good;

	wakers->separator = strings_intern_text(source->profile->strings, "--");
	if (!wanted.count && !wakers->are_upright)
		return true;
	init_workers(&pass, source, wakers, &wanted);
	good = capture_read_all_samples(source->capture, source->thread_count, pass.sinks,
					pass.count, err);
	for (size_t i = 0; good && i < pass.count; i++)
		merge(wakers, &pass.workers[i]);
	deinit_workers(&pass);
	vec_free(&wanted);
	if (!good)
		return false;
	cut_interrupts(source, wakers);
	name_wakers(wakers, source->profile->strings);
	link_intervals(source, pairing);
	return true;
}
