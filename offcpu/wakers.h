/* SPDX-License-Identifier: MIT */
/*
 * Who woke whom. Pairing finds which wake-ups led to the end of a wait, a pass over their samples what
 * stacks they have, and then each wait gets a link: a list of stacks, of which many have the rest in
 * common.
 *
 *     12 waited ──────────────────────────────┤ woken by 40, at 90
 *     40 waited ──────────────────┤ woken by 7, at 60, since when 40 has not waited
 *
 *     wakes    0: 7 at 60        1: 40 at 90, whom wake 0 woke
 *     links    1: 7's stack, nothing more        2: 40's stack, then link 1     ◀─ that of 12's wait
 */
#ifndef OFFCPU_WAKERS_H
#define OFFCPU_WAKERS_H

#include "profile/callchains.h"
#include "profile/interval.h"
#include "profile/resolve.h"

/* No wake, as an index of them. */
#define WAKE_NONE UINT32_MAX

/* No link: the list ends here. */
#define WAKER_LINK_NONE 0u

struct wake {
	uint64_t time_ns;
	uint64_t offset;  /* of its sample */
	uint32_t ordinal; /* of that among those at this offset */
	uint32_t before;  /* the wake that ended its waker's last wait, or WAKE_NONE */
	uint32_t stack;   /* of the waker: of stacks, once that is known */
	bool is_wanted;   /* some wait's end is due to it */
	bool is_interrupt, is_deferred; /* as those of its stack */
};

struct waker_stack {
	uint64_t hash;
	struct callchain_key key;
	bool is_interrupt; /* whoever ran has nothing to do with it, and so has his program's part */
	bool is_deferred; /* unless it is whoever ran that did what interrupts had put off: not known yet */
	str_id comm;
	const uint64_t *ips; /* in the arena, innermost first */
	uint32_t ip_count;
};

struct waker_link {
	uint32_t stack;
	uint32_t next; /* that waker's waker */
};

struct wakers {
	VEC(struct wake) wakes;
	VEC(struct waker_stack) stacks;
	VEC(struct waker_link) links; /* the first stands for none */
	struct idtable stack_ids, link_ids;
	str_id separator; /* "--", between who waited and who ended that */
	struct arena arena;
};

void wakers_init(struct wakers *wakers);
void wakers_deinit(struct wakers *wakers);

/* How many wakes, from that which ended a wait on, happened since it began, and led to its end: at most
 * limit. Their stacks are wanted then. */
uint16_t wakers_want(struct wakers *wakers, uint32_t wake, uint64_t since_ns, uint32_t limit);

/* The number of a stack, added with a copy of its addresses when new. What a grouping tells apart in
 * its key does not count, nor, of what is known to be an interrupt, whom it came upon. */
uint32_t wakers_intern_stack(struct wakers *wakers, const struct waker_stack *stack);

/* Makes a stack that of an interrupt, and ends it behind so many of its addresses. */
void waker_stack_end(struct waker_stack *stack, uint32_t ip_count);

/* When the stacks of all wakes that are wanted are known: makes of the intervals' wakes links. Interrupts
 * have no wakers. */
void wakers_link(struct wakers *wakers, struct intervals *intervals);

/* What resolves the links of callchains to the wakers' own; borrowed from wakers. */
struct linked_callchains wakers_callchains(const struct wakers *wakers);

#endif
