/* SPDX-License-Identifier: MIT */
#include "session/waker_interrupts.h"

#include "libparse/ftrace/kernel_entry.h"

/* The locations of one stack's part of the kernel, innermost first. */
struct kernel_part {
	const location_id *ids;
	uint32_t count;
};

/* Which of its addresses are the kernel's, from the first on. */
static uint32_t kernel_ip_count(const struct waker_stack *stack)
{
	uint32_t count = 0;

	while (count < stack->ip_count && stack->ips[count] != CALLCHAIN_USER)
		count++;
	return count;
}

/* The entries up to and with the address of this index. */
static uint32_t ip_count_with(const struct waker_stack *stack, uint32_t index)
{
	uint32_t i = 0;

	for (uint32_t seen = 0; i < stack->ip_count && seen <= index; i++)
		seen += stack->ips[i] < CALLCHAIN_MARKER_FIRST;
	return i;
}

static struct text name_of(const struct session *session, const struct locations *locations,
			   location_id id)
{
	return strings_get(session->profile.strings, locations->rows.at[id.i].name);
}

static void judge(const struct session *session, const struct locations *locations,
		  const struct kernel_part *part, struct waker_stack *stack)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < part->count; i++) {
		struct text name = name_of(session, locations, part->ids[i]);

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

void waker_interrupts_cut(struct session *session)
{
	struct wakers *wakers = &session->pairing.wakers;
	struct location_list ids = { 0 };
	struct locations locations;
	struct resolver resolver;
	size_t begin = 0;
	VEC(size_t) ends = { 0 };

	locations_init(&locations);
	session_init_resolver(session, &locations, &resolver);
	resolver.selection = NULL;
	for (size_t i = 0; i < wakers->stacks.count; i++) {
		const struct waker_stack *stack = &wakers->stacks.at[i];

		if (stack->is_interrupt)
			resolver_callchain(&resolver, &stack->key, stack->ips,
					   kernel_ip_count(stack), &ids);
		vec_push(&ends, ids.count);
	}
	session_symbolise(session, &locations);
	for (size_t i = 0; i < wakers->stacks.count; begin = ends.at[i++])
		if (wakers->stacks.at[i].is_interrupt)
			judge(session, &locations,
			      &(struct kernel_part){ ids.at + begin,
						     (uint32_t)(ends.at[i] - begin) },
			      &wakers->stacks.at[i]);
	resolver_deinit(&resolver);
	locations_deinit(&locations);
	vec_free(&ids);
	vec_free(&ends);
}
