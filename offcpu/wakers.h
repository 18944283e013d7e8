/* SPDX-License-Identifier: MIT */
/*
 * Finds the wakers of each wait. Pairing finds the wake-ups that ended waits, and a pass over their
 * samples reads the callchains. Each wait then links to a list of wakers. Lists may share their
 * ends.
 *
 *     12 blocked ─────────────────────────────┤ woken by 40, at 90
 *     40 blocked ─────────────────┤ woken by 7, at 60, and not blocked since
 *
 *     wakes    0: 7 at 60        1: 40 at 90, which wake 0 woke
 *     links    1: 7's stack, nothing more        2: 40's stack, then link 1     ◀─ the link of 12's wait
 */
#ifndef OFFCPU_WAKERS_H
#define OFFCPU_WAKERS_H

#include "base/error.h"
#include "profile/callchains.h"
#include "profile/interval.h"
#include "profile/resolve.h"

struct offcpu_source;
struct pairing_result;

/* Means "no wake". */
#define WAKE_NONE UINT32_MAX

/* Marks the end of a list. */
#define WAKER_LINK_NONE 0u

struct wake {
	uint64_t time_ns;
	uint64_t offset;  /* input offset of its sample */
	uint32_t ordinal; /* number of its sample among the samples at this offset */
	uint32_t before;  /* the wake that ended the waker's last wait, or WAKE_NONE */
	uint32_t stack;   /* index of the waker's stack, once known */
	bool is_wanted;   /* it contributed to the end of a wait that is shown */
	bool is_interrupt, is_deferred; /* see struct waker_stack */
};

struct waker_stack {
	uint64_t hash;
	struct callchain_key key;
	bool is_mark;      /* no stack: comm is the name of an interval mark */
	bool is_interrupt; /* the waker is an interrupt, not the interrupted thread */
	bool is_deferred;  /* a softirq; not yet known whether the thread itself ran it */
	str_id comm;
	const uint64_t *ips; /* in the arena, innermost first */
	uint32_t ip_count;
};

struct waker_link {
	uint32_t stack;
	uint32_t next; /* the waker's own waker */
};

struct wakers {
	bool are_upright; /* stacks are shown from root to leaf */
	VEC(struct wake) wakes;
	VEC(struct waker_stack) stacks;
	VEC(struct waker_link) links; /* link 0 (WAKER_LINK_NONE): there is no waker */
	struct idtable stack_ids, link_ids;
	str_id separator; /* "--", between a thread and its waker */
	struct arena arena;
};

void wakers_init(struct wakers *wakers);
void wakers_deinit(struct wakers *wakers);

/*
 * Marks at most `limit` wakes that led to the end of a wait and happened after the wait began.
 * Returns the number of wakes marked.
 */
uint16_t wakers_want(struct wakers *wakers, uint32_t wake, uint64_t since_ns, uint32_t limit);

/*
 * Returns the index of a stack; adds a copy if it is new. Ignores the group values in the stack's
 * key and, for an interrupt, the interrupted thread.
 */
uint32_t wakers_intern_stack(struct wakers *wakers, const struct waker_stack *stack);

/* Reduces a stack to the frames of an interrupt: keeps only the first ip_count entries. */
void waker_stack_end(struct waker_stack *stack, uint32_t ip_count);

/*
 * Replaces the wakes of intervals with links, once all stacks are known. Interrupts have no wakers.
 */
void wakers_link(struct wakers *wakers, struct intervals *intervals);

/* Returns the link with this stack and this next link. Adds it if it is new. */
uint32_t wakers_intern_link(struct wakers *wakers, uint32_t stack, uint32_t next);

/* Looks up links for the resolver; borrowed from wakers. */
struct linked_callchains wakers_callchains(const struct wakers *wakers);

/*
 * Reads the callchains of the wake-ups that are wanted, and links the intervals to them:
 * waker_stacks.c.
 *
 * An interrupt's callchain is truncated where the interrupt arrived, because the interrupted code
 * did not wake any thread. Truncating requires the names of kernel functions, so callchains of
 * interrupts are symbolised first:
 *
 *     try_to_wake_up  hrtimer_wakeup  sysvec_apic_timer_interrupt  asm_sysvec_apic_timer_interrupt │ vfs_read ...
 *
 * A softirq may also run in the thread that triggered it; this thread is then the waker. An example
 * is a thread that sends a packet to its own host:
 *
 *     try_to_wake_up  sock_def_readable  tcp_v4_rcv  net_rx_action  do_softirq  tcp_sendmsg ... sender
 */
bool waker_stacks_find(const struct offcpu_source *source, struct pairing_result *pairing,
		       struct error *err) WARN_UNUSED;

#endif
