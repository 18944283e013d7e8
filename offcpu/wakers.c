/* SPDX-License-Identifier: MIT */
#include "offcpu/wakers.h"

#include "base/hash.h"
#include "libparse/callchain.h"
#include "profile/resolve.h"

void wakers_init(struct wakers *wakers)
{
	*wakers = (struct wakers){ 0 };
	idtable_init(&wakers->stack_ids);
	idtable_init(&wakers->link_ids);
	arena_init(&wakers->arena);
	vec_push(&wakers->links, (struct waker_link){ 0 });
}

void wakers_deinit(struct wakers *wakers)
{
	vec_free(&wakers->wakes);
	vec_free(&wakers->stacks);
	vec_free(&wakers->links);
	idtable_deinit(&wakers->stack_ids);
	idtable_deinit(&wakers->link_ids);
	arena_deinit(&wakers->arena);
}

static bool is_same_stack(const struct waker_stack *a, const struct waker_stack *b)
{
	return a->hash == b->hash && a->ip_count == b->ip_count &&
	       a->is_interrupt == b->is_interrupt && a->is_deferred == b->is_deferred &&
	       memcmp(&a->key, &b->key, sizeof(a->key)) == 0 &&
	       (!a->ip_count || memcmp(a->ips, b->ips, a->ip_count * sizeof(*a->ips)) == 0);
}

void waker_stack_end(struct waker_stack *stack, uint32_t ip_count)
{
	stack->ip_count = ip_count;
	stack->is_deferred = false;
	stack->key.comm = stack->key.unnamed_tid = 0;
	stack->key.space = stack->key.replaced_space = SPACE_EMPTY;
}

/*
 * Removes the parts of a waker's stack that are not shown, so that stacks that look the same are
 * merged.
 */
static void reduce(struct waker_stack *stack)
{
	uint32_t count = 0;

	stack->key.pid = stack->key.tid = stack->key.cpu = 0;
	stack->key.values_hash = stack->key.values = 0;
	if (!stack->is_interrupt || stack->is_deferred)
		return;
	while (count < stack->ip_count && stack->ips[count] != CALLCHAIN_USER)
		count++;
	waker_stack_end(stack, count);
}

uint32_t wakers_intern_stack(struct wakers *wakers, const struct waker_stack *stack)
{
	struct waker_stack wanted = *stack;
	struct idtable_probe probe;
	size_t size_bytes;
	uint64_t *copy;
	uint32_t id;

	reduce(&wanted);
	size_bytes = wanted.ip_count * sizeof(*wanted.ips);
	wanted.hash = hash_bytes(wanted.ips, size_bytes,
				 hash_bytes(&wanted.key, sizeof(wanted.key), wanted.is_interrupt));
	probe = idtable_find(&wakers->stack_ids, wanted.hash);
	while ((id = idtable_next(&wakers->stack_ids, &probe)) != IDTABLE_NONE)
		if (is_same_stack(&wakers->stacks.at[id], &wanted))
			return id;
	copy = arena_alloc(&wakers->arena, size_bytes, _Alignof(uint64_t));
	if (size_bytes)
		memcpy(copy, wanted.ips, size_bytes);
	wanted.ips = copy;
	id = (uint32_t)wakers->stacks.count;
	idtable_add(&wakers->stack_ids, wanted.hash, id);
	vec_push(&wakers->stacks, wanted);
	return id;
}

uint16_t wakers_want(struct wakers *wakers, uint32_t wake, uint64_t since_ns, uint32_t limit)
{
	uint32_t count = 0;

	for (; count < limit && wake != WAKE_NONE; count++) {
		struct wake *row = &wakers->wakes.at[wake];

		if (row->time_ns < since_ns)
			break;
		row->is_wanted = true;
		wake = row->before;
	}
	return (uint16_t)count;
}

uint32_t wakers_intern_link(struct wakers *wakers, uint32_t stack, uint32_t next)
{
	uint64_t hash = hash_pair(stack, next);
	struct idtable_probe probe = idtable_find(&wakers->link_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&wakers->link_ids, &probe)) != IDTABLE_NONE)
		if (wakers->links.at[id].stack == stack && wakers->links.at[id].next == next)
			return id;
	id = (uint32_t)wakers->links.count;
	idtable_add(&wakers->link_ids, hash, id);
	vec_push(&wakers->links, (struct waker_link){ stack, next });
	return id;
}

void wakers_link(struct wakers *wakers, struct intervals *intervals)
{
	for (size_t i = 0; i < intervals->count; i++) {
		struct interval *interval = &intervals->at[i];
		uint32_t stacks[LIMIT_WAKERS];
		uint32_t wake = interval->waker;
		uint32_t link = WAKER_LINK_NONE;

		for (uint32_t k = 0; k < interval->waker_count; k++) {
			stacks[k] = wakers->wakes.at[wake].stack;
			if (wakers->stacks.at[stacks[k]].is_interrupt)
				interval->waker_count = (uint16_t)(k + 1);
			wake = wakers->wakes.at[wake].before;
		}
		for (uint32_t k = interval->waker_count; k-- > 0;)
			link = wakers_intern_link(wakers, stacks[k], link);
		interval->waker = link;
	}
}

/* The link comes from a callchain. In a corrupt capture, the link may be any number. */
static uint32_t find_callchains(const void *context, uint64_t link,
				struct linked_callchain ret[LIMIT_WAKERS])
{
	const struct wakers *wakers = context;
	uint32_t count = 0;

	if (link >= wakers->links.count)
		return 0;
	for (; link != WAKER_LINK_NONE && count < LIMIT_WAKERS;
	     link = wakers->links.at[link].next) {
		const struct waker_stack *stack = &wakers->stacks.at[wakers->links.at[link].stack];

		ret[count++] = (struct linked_callchain){
			.name = stack->comm,
			.key = stack->is_mark ? NULL : &stack->key,
			.ips = stack->ips,
			.ip_count = stack->ip_count,
		};
	}
	return count;
}

struct linked_callchains wakers_callchains(const struct wakers *wakers)
{
	return (struct linked_callchains){
		.context = wakers,
		.separator = wakers->separator,
		.is_upright = wakers->are_upright,
		.find = find_callchains,
	};
}
